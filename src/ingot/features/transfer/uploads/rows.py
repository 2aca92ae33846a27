"""Rows as typed records, for passing between functions."""

from datetime import datetime
from typing import Protocol


class UploadRow(Protocol):
    """A row of `uploads`."""

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
