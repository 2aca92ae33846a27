"""Markdown as HTML."""

from ingot.features.spaces.markdown.rendering import render_text, use_renderer, use_text_renderer

__all__ = ["render_text", "use_renderer", "use_text_renderer"]
