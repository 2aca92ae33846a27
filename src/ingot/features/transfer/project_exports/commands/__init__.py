"""Requesting and creating exports."""
