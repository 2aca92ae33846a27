"""Discussions for pages: rendered comments and short system notes."""

from collections.abc import Sequence
from typing import NotRequired, TypedDict

from ingot.features.planning.notes import may_resolve_among
from ingot.web.answers import Label, Note
from ingot.web.call import PageCall
from ingot.web.markdown import markdown, named_labels


def with_colours(call: PageCall, names: Sequence[str]) -> list[Label]:
    """The labels of an issue or merge request, which the API gives by name, with their colours."""
    if not names:
        return []
    rows: list[Label] = call.ask_or_none("/projects/:id/labels", per_page="100") or []
    known = {row["name"]: row for row in rows}
    return [known.get(name, {"name": name, "color": "#7d8794"}) for name in names]


class ShownNote(Note):
    """A comment with its text as HTML."""

    html: str


class Thread(TypedDict):
    """A discussion, with what the template asks of it as a whole."""

    id: str
    notes: list[ShownNote]
    is_system: bool
    resolvable: bool
    resolved: bool
    can_resolve: bool
    is_first_open: NotRequired[bool]  # the page leads to it


def discussions(call: PageCall, base: str, author: int | None, **values: object) -> list[Thread] | None:
    """All threads of an issue or merge request by this author, oldest first; None if the visitor may not see them."""
    threads: list[Thread] | None = call.ask_or_none(f"{base}/discussions", per_page="100", **values)
    for thread in threads or []:
        for note in thread["notes"]:
            note["html"] = markdown(call, named_labels(call, note["body"]) if note["system"] else note["body"])
        _describe(call, thread, author)
    return threads


def open_threads(call: PageCall, base: str, author: int | None, **values: object) -> list[str]:
    """The ids of the threads, on all pages of the list, that are not resolved and that the visitor may resolve."""
    found: list[str] = []
    page: int | None = 1
    while page is not None:
        rows = call.ask_rows(f"{base}/discussions", per_page="100", page=str(page), **values)
        for thread in rows.items:
            _describe(call, thread, author)
            if thread["resolvable"] and thread["can_resolve"] and not thread["resolved"]:
                found.append(thread["id"])
        page = rows.next_page
    return found


def _describe(call: PageCall, thread: Thread, author: int | None) -> None:
    """Add what is true of the thread as a whole."""
    first = thread["notes"][0]
    thread["is_system"] = first["system"]
    thread["can_resolve"] = may_resolve_among(call.actor, call.project, (author, first["author"]["id"]))
    thread["resolvable"] = any(note["resolvable"] for note in thread["notes"])
    thread["resolved"] = thread["resolvable"] and all(
        note["resolved"] for note in thread["notes"] if note["resolvable"]
    )
