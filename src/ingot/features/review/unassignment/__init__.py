"""Unassigning users from issues and merge requests: those who leave, and those who may no longer read them."""
