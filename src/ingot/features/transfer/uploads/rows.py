"""Rows as typed records, for where they cross the border of a function."""

from datetime import datetime
from typing import Protocol


class UploadRow(Protocol):
    """What may be read of a row of `uploads`."""

    id: int
    project_id: int | None
    group_id: int | None
    secret: str
    filename: str
    size: int
    media_type: str
    blob_key: str
    uploaded_by_id: int | None
    created_at: datetime
