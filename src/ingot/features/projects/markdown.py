"""Descriptions as HTML: Markdown without raw HTML, with links that cannot run anything."""

from markdown_it import MarkdownIt

_renderer = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable(["table", "strikethrough"])


def to_html(text: str | None) -> str:
    """Safe HTML of a description; an absent one is an empty text."""
    return _renderer.render(text).strip() if text else ""
