"""Rows as typed records, for passing between functions."""

from datetime import datetime
from typing import Protocol


class RelationExportRow(Protocol):
    """A row of `relation_exports`."""

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
