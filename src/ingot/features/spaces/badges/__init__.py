"""Badges: small pictures with links, on projects and groups."""
