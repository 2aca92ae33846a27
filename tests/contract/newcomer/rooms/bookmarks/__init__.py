"""Bookmarks of projects: named links."""
