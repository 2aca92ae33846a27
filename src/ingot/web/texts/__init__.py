"""Texts of users as HTML: code with colours and Markdown, made in processes of their own.

Its libraries can be slow on hostile text; in a separate process each can be stopped.
"""

from ingot.web.texts.client import (
    LONGEST_MARKDOWN,
    highlighted_diffs,
    highlighted_files,
    highlighted_lines,
    plain,
    rendered_markdown,
)

__all__ = [
    "LONGEST_MARKDOWN",
    "highlighted_diffs",
    "highlighted_files",
    "highlighted_lines",
    "plain",
    "rendered_markdown",
]
