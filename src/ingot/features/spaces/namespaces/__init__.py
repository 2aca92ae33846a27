"""Namespaces: groups and personal ones as places for projects."""
