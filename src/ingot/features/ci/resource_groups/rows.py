"""Rows as typed records, for passing between functions."""

from datetime import datetime
from typing import Protocol


class ResourceGroupRow(Protocol):
    """A row of `resource_groups`."""

    id: int
    project_id: int
    key: str
    process_mode: str
    created_at: datetime
    updated_at: datetime
