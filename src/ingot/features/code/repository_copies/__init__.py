"""Repositories as tar files, for administrators."""
