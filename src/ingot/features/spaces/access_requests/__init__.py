"""Requests of users to become members of a group or project."""
