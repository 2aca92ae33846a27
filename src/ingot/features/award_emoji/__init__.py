"""Reactions."""
