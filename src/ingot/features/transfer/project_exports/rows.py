"""Rows as typed records, for where they cross the border of a function."""

from datetime import datetime
from typing import Protocol


class ProjectExportRow(Protocol):
    """What may be read of a row of `project_exports`."""

    id: int
    project_id: int
    user_id: int
    status: str
    description: str | None
    sealed_upload_url: str | None
    upload_method: str | None
    blob_key: str | None
    error: str | None
    created_at: datetime
    updated_at: datetime
