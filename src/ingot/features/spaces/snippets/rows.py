"""Rows as typed records."""

from datetime import datetime
from typing import Protocol


class StoredSnippet(Protocol):
    """A row of `snippets`."""

    id: int
    project_id: int | None
    author_id: int
    title: str
    description: str | None
    visibility: int
    created_at: datetime
    updated_at: datetime


class SnippetRow(StoredSnippet, Protocol):
    """A snippet with the path of its project."""

    project_path: str | None
