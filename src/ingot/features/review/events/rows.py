"""Rows of events."""

from datetime import datetime
from typing import Protocol


class EventRow(Protocol):
    """An event, with the import type of its project."""

    id: int
    project_id: int
    author_id: int
    action: str
    target_type: str | None
    target_id: int | None
    push_action: str | None
    ref_type: str | None
    ref: str | None
    commit_from: str | None
    commit_to: str | None
    commit_title: str | None
    commit_count: int | None
    ref_count: int | None
    imported_from: str
    created_at: datetime
    import_type: str | None
