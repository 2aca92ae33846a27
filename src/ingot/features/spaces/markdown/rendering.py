"""Who renders texts: the pages, which lie above and say so here."""

from typing import Protocol

from ingot.access.call import Call
from ingot.access.subjects import Project
from ingot.features.spaces.projects import to_html


class Renderer(Protocol):
    """Makes safe HTML of a text, with the rights of the caller."""

    def __call__(self, call: Call, text: str, project: Project | None, *, references: bool) -> str: ...


class TextRenderer(Protocol):
    """Makes safe HTML of a text whose references were looked up; `place` is where its relative addresses begin."""

    def __call__(self, text: str, links: dict[str, str], place: dict[str, str]) -> str: ...


_renderers: list[Renderer] = []
_text_renderers: list[TextRenderer] = []


def use_renderer(renderer: Renderer) -> None:
    """Render with this one from now on."""
    _renderers[:] = [renderer]


def render(call: Call, text: str, project: Project | None, *, references: bool) -> str:
    """Safe HTML of a text."""
    if not _renderers:
        return to_html(text)
    return _renderers[0](call, text, project, references=references)


def use_text_renderer(renderer: TextRenderer) -> None:
    """Render texts that nobody asked for, such as those of mails, with this one from now on."""
    _text_renderers[:] = [renderer]


def render_text(text: str, links: dict[str, str], place: dict[str, str]) -> str:
    """Safe HTML of a text whose references are known."""
    return _text_renderers[0](text, links, place) if _text_renderers else to_html(text)
