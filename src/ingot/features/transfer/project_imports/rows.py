"""Rows as typed records, for passing between functions."""

from datetime import datetime
from typing import Any, Protocol


class ProjectImportRow(Protocol):
    """A row of `project_imports`."""

    id: int
    project_id: int
    user_id: int
    correlation_id: str
    blob_key: str | None
    sealed_url: str | None
    override_params: dict[str, Any]
    replaces_id: int | None
    final_name: str | None
    final_path: str | None
    summary: dict[str, Any] | None
    ended: bool
    created_at: datetime
    updated_at: datetime


class RelationImportRow(Protocol):
    """A row of `relation_imports`."""

    id: int
    project_id: int
    user_id: int
    relation: str
    status: str
    blob_key: str | None
    correlation_id: str
    created_at: datetime
    updated_at: datetime
