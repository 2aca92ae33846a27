"""Rows as typed records, for passing between functions."""

from datetime import date, datetime
from typing import Protocol


class MilestoneRow(Protocol):
    """A row of `milestones`."""

    id: int
    iid: int
    project_id: int | None
    group_id: int | None
    title: str
    description: str | None
    state: str
    start_date: date | None
    due_date: date | None
    created_at: datetime
    updated_at: datetime


class MilestoneWithPaths(MilestoneRow, Protocol):
    """A milestone with the paths that its web address needs, as `with_paths` selects it."""

    project_path: str | None
    group_path: str | None
