"""Rows as typed records."""

from datetime import datetime
from typing import Protocol


class ReleaseRow(Protocol):
    """A row of `releases`."""

    id: int
    project_id: int
    author_id: int | None
    tag: str
    name: str
    description: str | None
    sha: str | None
    released_at: datetime
    created_at: datetime
    updated_at: datetime


class ReleaseLinkRow(Protocol):
    """A row of `release_links`."""

    id: int
    release_id: int
    name: str
    url: str
    filepath: str | None
    link_type: str
    created_at: datetime
    updated_at: datetime
