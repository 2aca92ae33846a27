"""Discussions for pages: rendered comments and short system notes."""

from collections.abc import Sequence
from typing import NotRequired, TypedDict

import msgspec
from markupsafe import Markup

from ingot.features.planning.notes import edited_among, may_edit_of, may_resolve_among
from ingot.kit.patterns import Match, pattern
from ingot.web.answers import Note
from ingot.web.call import PageCall, Rows
from ingot.web.markdown import markdown, named_labels
from ingot.web.reactions import Reaction, reactions_among
from ingot.web.sending import number_in, text
from ingot.web.suggestion_places import with_marks
from ingot.web.task_lists import TickableText, tickable_text

A_PAGE = 50
MOST_PAGES = 20
MOST_RESOLVED = 100  # at once: each is a call of its own
_FULL_ID = pattern(r"(^|[^=/0-9A-Za-z_])([0-9a-f]{40})\b")  # not those of addresses
SHORT_ID = 8


class ShownNote(Note):
    """A comment with its text as HTML."""

    html: Markup
    edited_at: str  # empty for those that nobody has changed
    can_edit: bool
    tasks: NotRequired[TickableText]  # of those who may tick them
    reactions: list[Reaction]


class Thread(TypedDict):
    """A discussion, with what the template asks of it as a whole."""

    id: str
    notes: list[ShownNote]
    is_system: bool
    resolvable: bool
    resolved: bool
    can_resolve: bool
    individual_note: bool
    is_first_open: NotRequired[bool]  # the page leads to it
    fold: NotRequired[tuple[str, int]]  # the first of a day's events, which are folded: the day, and how many
    ends_fold: NotRequired[bool]


class Talk(msgspec.Struct):
    """Threads of an issue or merge request, oldest first, with the pages of the list before and after them."""

    threads: list[Thread]
    earlier: int | None
    later: int | None
    total: int | None
    page: int | None = None  # of an older part of the list, which the address names
    reactions: list[Reaction] = []  # to the issue or merge request itself


def discussions(call: PageCall, base: str, author: int | None, about: tuple[str, int], **values: object) -> Talk | None:
    """The threads of the page that the address names (`threads`), else the newest; None for those who may not see them.

    The newest page may hold few, so the one before it comes along. `about` is the type and id of what they discuss.
    """
    page = number_in(text(call, "threads")) or 0
    rows = _page(call, base, page or 1, values)
    if rows is None:
        return None
    items, first, last = rows.items, rows.page, rows
    if not page and rows.next_page:
        newest = -(-rows.total // A_PAGE) if rows.total else rows.next_page
        if newest > 2:
            before = _page(call, base, newest - 1, values)
            items, first = before.items if before else [], newest - 1
        last = _page(call, base, newest, values) or rows
        items = [*items, *last.items]
    for thread in items:
        _describe(call, thread, author)
        _render(call, thread)
    reactions = _add_tools(call, items, about)
    return Talk(items, first - 1 or None, last.next_page, rows.total, page or None, reactions)


def threads_query(call: PageCall) -> str:
    """The part of the address that keeps an older page of a discussion after a form of it was sent."""
    page = number_in(text(call, "threads"))
    return "" if page is None else f"?threads={page}"


def resolution_words(call: PageCall) -> str:
    """What the form of a thread has done."""
    return "Thread opened again." if call.values.get("resolved") == "false" else "Thread resolved."


def threads_at_lines(
    call: PageCall, base: str, author: int | None, **values: object
) -> tuple[list[Thread], list[ShownNote]]:
    """The threads that stand at lines of a diff, of at most a thousand, and what the visitor wrote in any of them."""
    threads: list[Thread] = []
    mine: list[ShownNote] = []
    page: int | None = 1
    while page is not None and page <= MOST_PAGES:
        rows = _page(call, base, page, values)
        for thread in rows.items if rows else []:
            mine += [note for note in thread["notes"] if note["author"]["id"] == call.actor.user_id]
            if thread["notes"][0].get("position"):
                _describe(call, thread, author)
                _render(call, thread)
                threads.append(thread)
        page = rows.next_page if rows else None
    _add_tools(call, threads)
    return threads, mine


def open_threads(call: PageCall, base: str, author: int | None, most: int, **values: object) -> list[str]:
    """The ids of threads, oldest first, that are not resolved and that the visitor may resolve."""
    ids: list[str] = []
    page: int | None = 1
    while page is not None and len(ids) < most:
        rows = call.ask_rows(f"{base}/discussions", per_page=str(A_PAGE), page=str(page), **values)
        for thread in rows.items:
            _describe(call, thread, author)
            if thread["resolvable"] and thread["can_resolve"] and not thread["resolved"]:
                ids.append(thread["id"])
        page = rows.next_page
    return ids[:most]


def _page(call: PageCall, base: str, page: int, values: dict[str, object]) -> Rows | None:
    return call.ask_rows_or_none(f"{base}/discussions", per_page=str(A_PAGE), page=str(page), **values)


def _render(call: PageCall, thread: Thread) -> None:
    for note in thread["notes"]:
        # Proposed lines are shown beside those that they replace: the template puts them there.
        body = with_marks(note["body"], note.get("suggestions") or [])
        note["html"] = markdown(call, _FULL_ID.sub(_shortened, named_labels(call, body)) if note["system"] else body)


def _shortened(match: Match) -> str:
    return f"{match[1]}{match[2][:SHORT_ID]}"


def _add_tools(call: PageCall, threads: Sequence[Thread], about: tuple[str, int] | None = None) -> list[Reaction]:
    return add_tools(call, [note for thread in threads for note in thread["notes"] if not note["system"]], about)


def add_tools(call: PageCall, notes: Sequence[ShownNote], about: tuple[str, int] | None = None) -> list[Reaction]:
    """Say of each comment what the visitor may do with it, when it was changed, and who reacted how.

    Returns the reactions to what the comments are about.
    """
    ids = [note["id"] for note in notes]
    kind, number = about or ("", 0)
    wanted = {"Note": ids, kind: [number]} if about else {"Note": ids}
    given, edited = reactions_among(call, wanted), edited_among(call.conn, ids)
    reactions = given["Note"]
    for note in notes:
        note["edited_at"] = edited[note["id"]].isoformat() if note["id"] in edited else ""
        note["can_edit"] = may_edit_of(call.actor, call.project, note["author"]["id"])
        if note["can_edit"] and call.session and (tasks := tickable_text(note["html"], note["body"], note["id"])):
            note["tasks"] = tasks
        note["reactions"] = reactions.get(note["id"], [])
    return given[kind].get(number, []) if about else []


def _describe(call: PageCall, thread: Thread, author: int | None) -> None:
    """Add what is true of the thread as a whole."""
    first = thread["notes"][0]
    thread["is_system"] = first["system"]
    thread["can_resolve"] = may_resolve_among(call.actor, call.project, (author, first["author"]["id"]))
    thread["resolvable"] = any(note["resolvable"] for note in thread["notes"])
    thread["resolved"] = thread["resolvable"] and all(
        note["resolved"] for note in thread["notes"] if note["resolvable"]
    )
