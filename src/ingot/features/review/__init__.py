"""Reviewing and merging changes."""
