"""Rows as typed records."""

from datetime import datetime
from typing import Protocol


class SnippetRow(Protocol):
    """A row of `snippets`, with the path of its project."""

    id: int
    project_id: int | None
    project_path: str | None
    author_id: int
    title: str
    description: str | None
    visibility: int
    created_at: datetime
    updated_at: datetime
