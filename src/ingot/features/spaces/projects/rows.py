"""Rows as typed records, for where they cross the border of a function."""

from datetime import datetime
from typing import Any, Protocol


class TopicRow(Protocol):
    """What may be read of a row of `topics`."""

    id: int
    name: str
    name_lower: str
    title: str
    description: str | None
    avatar: str | None
    projects_count: int
    created_at: datetime
    updated_at: datetime
    # Joined from other tables where the query selects them.
    actor_level: Any
