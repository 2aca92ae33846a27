"""Changing merge requests: one module per verb."""
