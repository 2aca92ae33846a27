"""Who renders texts: the pages, which lie above and say so here."""

from typing import Protocol

from ingot.access.call import Call
from ingot.access.subjects import Project
from ingot.features.spaces.projects import to_html


class Renderer(Protocol):
    """Makes safe HTML of a text, with the rights of the caller."""

    def __call__(self, call: Call, text: str, project: Project | None, *, references: bool) -> str: ...


_renderers: list[Renderer] = []


def use_renderer(renderer: Renderer) -> None:
    """Render with this one from now on."""
    _renderers[:] = [renderer]


def render(call: Call, text: str, project: Project | None, *, references: bool) -> str:
    """Safe HTML of a text."""
    if not _renderers:
        return to_html(text)
    return _renderers[0](call, text, project, references=references)
