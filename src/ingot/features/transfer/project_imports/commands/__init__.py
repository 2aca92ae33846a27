"""Requesting and running imports."""
