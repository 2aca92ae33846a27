"""Rows as typed records, for where they cross the border of a function."""

from datetime import date, datetime
from typing import Any, Protocol


class IssueLinkRow(Protocol):
    """What may be read of a row of `issue_links`."""

    id: int
    source_id: int
    target_id: int
    link_type: str
    created_at: datetime
    updated_at: datetime


class IssueRow(Protocol):
    """What may be read of a row of `issues`."""

    id: int
    iid: int
    project_id: int
    author_id: int | None
    title: str
    description: str | None
    state: str
    confidential: bool
    discussion_locked: bool | None
    issue_type: str
    weight: int | None
    milestone_id: int | None
    due_date: date | None
    closed_at: datetime | None
    closed_by_id: int | None
    updated_by_id: int | None
    last_edited_at: datetime | None
    last_edited_by_id: int | None
    health_status: str | None
    moved_to_id: int | None
    external_key: str | None
    task_count: int
    task_completed_count: int
    time_estimate: int
    total_time_spent: int
    upvotes: int
    downvotes: int
    user_notes_count: int
    relative_position: int | None
    imported_from: str
    created_at: datetime
    updated_at: datetime
    # Joined from other tables where the query selects them.
    project_namespace_id: Any
    project_path: Any
