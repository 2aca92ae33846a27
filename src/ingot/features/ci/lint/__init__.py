"""Checking CI configuration without running it."""
