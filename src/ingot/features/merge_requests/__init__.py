"""Merge requests, from opening to merged."""
