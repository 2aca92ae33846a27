"""Rows as typed records, for passing between functions."""

from datetime import datetime
from typing import Protocol


class TodoRow(Protocol):
    """A row of `todos`."""

    id: int
    user_id: int
    author_id: int | None
    project_id: int | None
    target_type: str
    target_id: int | None
    commit_id: str | None
    note_id: int | None
    action: str
    body: str
    state: str
    created_at: datetime
    updated_at: datetime
