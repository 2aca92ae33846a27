"""Descriptions as HTML: Markdown without raw HTML, with links that cannot run anything."""

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt


@cache
def _renderer() -> "MarkdownIt":
    # Imported with the first text: sixty modules that the start of a server does not need.
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False, "linkify": False}).enable(["table", "strikethrough"])


def to_html(text: str | None) -> str:
    """Safe HTML of a description; an absent one is an empty text."""
    return _renderer().render(text).strip() if text else ""
