"""Markdown as HTML."""

from ingot.features.spaces.markdown.rendering import use_renderer

__all__ = ["use_renderer"]
