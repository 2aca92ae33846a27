"""Descriptions as HTML: Markdown without raw HTML, with links that cannot run anything."""

from functools import cache
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt


MAX_RENDERED = 50_000  # characters; rendering takes about a second for ten times as many


@cache
def _renderer() -> "MarkdownIt":
    # Imported on first use: sixty modules that the server does not need to start.
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False, "linkify": False}).enable(["table", "strikethrough"])


def to_html(text: str | None) -> str:
    """Safe HTML of a description; an absent one is an empty text, a very long one is shown as it is."""
    if not text:
        return ""
    if len(text) > MAX_RENDERED:
        return f"<pre>{escape(text, quote=False)}</pre>"
    return str(_renderer().render(text)).strip()
