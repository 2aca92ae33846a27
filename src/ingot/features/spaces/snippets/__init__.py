"""Snippets of users and projects."""

from ingot.features.spaces.snippets.tables import snippet_files, snippets

__all__ = ["snippet_files", "snippets"]
