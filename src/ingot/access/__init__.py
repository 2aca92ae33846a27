"""Roles, abilities and visibility: who may see and do what, as SQL and as guards of endpoints."""
