"""Rows as typed records."""

from datetime import datetime
from typing import Protocol


class LfsObjectRow(Protocol):
    """A row of `lfs_objects`."""

    id: int
    project_id: int
    oid: str
    size: int
    blob_key: str
    created_at: datetime
