"""Rows as typed records, for where they cross the border of a function."""

from datetime import datetime
from typing import Protocol


class LabelRow(Protocol):
    """What may be read of a row of `labels`."""

    id: int
    project_id: int | None
    group_id: int | None
    name: str
    color: str
    description: str | None
    created_at: datetime
    updated_at: datetime
