"""Changing providers, identities and group links, and signing people in."""
