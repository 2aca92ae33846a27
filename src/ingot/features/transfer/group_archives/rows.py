"""Rows as typed records."""

from datetime import datetime
from typing import Protocol


class GroupExportRow(Protocol):
    """A row of `group_exports`."""

    id: int
    group_id: int
    user_id: int
    blob_key: str | None
    new_blob_key: str | None
    file_name: str | None
    size: int
    error: str | None
    updated_at: datetime


class GroupImportRow(Protocol):
    """A row of `group_imports`."""

    id: int
    group_id: int
    user_id: int
    blob_key: str | None
    ended: bool
