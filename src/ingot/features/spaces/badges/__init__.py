"""Badges: small images with links, on projects and groups."""
