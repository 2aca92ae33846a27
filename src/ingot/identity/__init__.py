"""Users, tokens and sessions, and the check that turns a request's credentials into an Actor."""
