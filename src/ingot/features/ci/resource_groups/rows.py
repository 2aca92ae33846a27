"""Rows as typed records, for where they cross the border of a function."""

from datetime import datetime
from typing import Protocol


class ResourceGroupRow(Protocol):
    """What may be read of a row of `resource_groups`."""

    id: int
    project_id: int
    key: str
    process_mode: str
    created_at: datetime
    updated_at: datetime
