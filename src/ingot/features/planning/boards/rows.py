"""Rows as typed records."""

from datetime import datetime
from typing import Protocol


class BoardRow(Protocol):
    """A row of `boards`."""

    id: int
    project_id: int | None
    group_id: int | None
    name: str
    hide_backlog_list: bool
    hide_closed_list: bool
    assignee_id: int | None
    milestone_id: int | None
    weight: int | None
    created_at: datetime
    updated_at: datetime


class ListRow(Protocol):
    """A row of `board_lists`."""

    id: int
    board_id: int
    label_id: int | None
    assignee_id: int | None
    milestone_id: int | None
    position: int
    created_at: datetime
    updated_at: datetime
