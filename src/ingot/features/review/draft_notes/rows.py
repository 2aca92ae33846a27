"""Rows as typed records, for passing between functions."""

from datetime import datetime
from typing import Any, Protocol


class DraftNoteRow(Protocol):
    """A row of `draft_notes`."""

    id: int
    merge_request_id: int
    author_id: int
    note: str
    discussion_id: str | None
    resolve_discussion: bool
    commit_id: str | None
    position: dict[str, Any] | None
    line_code: str | None
    created_at: datetime
    updated_at: datetime
