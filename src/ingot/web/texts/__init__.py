"""Texts of users as HTML: code with colours and Markdown, made in a process of its own.

The libraries that read them go back and try again over chosen text; there they can be stopped.
"""

from ingot.web.texts.client import highlighted_lines, rendered_markdown

__all__ = ["highlighted_lines", "rendered_markdown"]
