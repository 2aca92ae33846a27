"""Snippets: pieces of text with a title, of people and of projects."""

from ingot.features.spaces.snippets.tables import snippet_files, snippets

__all__ = ["snippet_files", "snippets"]
