"""Rows as typed records."""

from datetime import datetime
from typing import Protocol


class LockRow(Protocol):
    """A row of `lfs_locks`, with the name of the lock's owner."""

    id: int
    project_id: int
    user_id: int
    path: str
    created_at: datetime
    owner_name: str
