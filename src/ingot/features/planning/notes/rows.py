"""Rows as typed records, for passing between functions."""

from datetime import datetime
from typing import Any, Protocol


class NoteRow(Protocol):
    """A row of `notes`."""

    id: int
    project_id: int | None
    noteable_type: str
    noteable_id: int | None
    commit_id: str | None
    author_id: int | None
    body: str
    type: str | None
    discussion_id: str
    starts_thread: bool
    system: bool
    system_action: str | None
    system_commit_count: int | None
    internal: bool
    position: Any
    original_position: Any
    change_position: Any
    line_code: str | None
    resolvable: bool
    resolved_at: datetime | None
    resolved_by_id: int | None
    resolved_by_push: bool | None
    updated_by_id: int | None
    last_edited_at: datetime | None
    imported_from: str
    created_at: datetime
    updated_at: datetime


class SuggestionRow(Protocol):
    """A row of `suggestions`."""

    id: int
    note_id: int
    relative_order: int
    lines_above: int
    lines_below: int
    from_content: str
    to_content: str
    applied: bool
    outdated: bool
    commit_id: str | None


class DiscussionIdRow(Protocol):
    """The thread that a page of discussions shows."""

    discussion_id: str


class ThreadNoteRow(Protocol):
    """A note of a thread, without its text."""

    id: int
    project_id: int | None
    noteable_type: str
    noteable_id: int | None
    commit_id: str | None
    resolvable: bool
    created_at: datetime


class SuggestedPlace(Protocol):
    """What a suggestion needs of its note."""

    position: Any
    resolved_at: datetime | None
