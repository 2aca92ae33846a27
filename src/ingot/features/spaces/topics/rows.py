"""Rows as typed records, for passing between functions."""

from datetime import datetime
from typing import Protocol


class VisibleTopicRow(Protocol):
    """A row of `topics`, with the number of its projects that the actor may see."""

    id: int
    name: str
    name_lower: str
    title: str
    description: str | None
    avatar: str | None
    projects_count: int
    created_at: datetime
    updated_at: datetime
    visible_count: int
