"""Markdown as HTML, for clients that show texts."""
