"""Rows as typed records, for where they cross the border of a function."""

from datetime import datetime
from typing import Protocol


class RelationExportRow(Protocol):
    """What may be read of a row of `relation_exports`."""

    id: int
    project_id: int
    user_id: int
    relation: str
    run: str
    status: int
    error: str | None
    batched: bool
    batches_count: int
    total_objects_count: int
    blob_key: str | None
    size: int
    updated_at: datetime
