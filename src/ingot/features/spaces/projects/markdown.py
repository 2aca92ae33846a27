"""Descriptions as HTML: Markdown without raw HTML, with links that cannot run anything."""

from collections.abc import Iterable
from functools import cache
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt


MAX_RENDERED = 50_000  # characters of one answer; rendering takes about a second for ten times as many
# Opening brackets times characters: for each the end of a link is looked for in all that follows.
MAX_BRACKET_WORK = 100_000_000


@cache
def _renderer() -> "MarkdownIt":
    # Imported on first use: sixty modules that the server does not need to start.
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False, "linkify": False}).enable(["table", "strikethrough"])


def to_html(text: str | None) -> str:
    """Safe HTML of a description; an absent one is an empty text, a very long one is shown as it is."""
    if not text:
        return ""
    if len(text) > MAX_RENDERED or text.count("[") * len(text) > MAX_BRACKET_WORK:
        return _plain(text)
    return str(_renderer().render(text)).strip()


def to_html_together(texts: Iterable[str | None]) -> list[str]:
    """As `to_html`, for the texts of one answer: what is beyond the limit of one text is shown as it is."""
    result, left = [], MAX_RENDERED
    for text in texts:
        left -= len(text or "")
        result.append(to_html(text) if left >= 0 else _plain(text or ""))
    return result


def _plain(text: str) -> str:
    return f"<pre>{escape(text, quote=False)}</pre>" if text else ""
