"""Rows as typed records, for passing between functions."""

from datetime import datetime
from typing import Protocol


class LabelRow(Protocol):
    """A row of `labels`."""

    id: int
    project_id: int | None
    group_id: int | None
    name: str
    color: str
    description: str | None
    created_at: datetime
    updated_at: datetime
