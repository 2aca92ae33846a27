"""Rows as typed records, for passing between functions."""

from datetime import datetime
from typing import Any, Protocol


class PushNoteRow(Protocol):
    """A row of `push_notes`."""

    id: int
    project_id: int
    user_id: int | None
    refs: Any
    moved_to: Any
    options: Any
    merge_request_id: int | None
    attempts: int
    created_at: datetime
    taken_at: datetime
