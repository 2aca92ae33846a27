"""Rows of issues and merge requests as typed records: what both have."""

from datetime import datetime
from typing import Protocol


class IssuableRow(Protocol):
    """The columns that issues and merge requests have in common."""

    id: int
    iid: int
    project_id: int
    author_id: int | None
    title: str
    description: str | None
    state: str
    discussion_locked: bool | None
    milestone_id: int | None
    task_count: int
    task_completed_count: int
    time_estimate: int
    total_time_spent: int
    upvotes: int
    downvotes: int
    user_notes_count: int
    imported_from: str
    created_at: datetime
    updated_at: datetime
