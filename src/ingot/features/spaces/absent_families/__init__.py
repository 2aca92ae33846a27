"""Families of GitLab's API that Ingot does not have, answered as clients expect of a server without them."""
