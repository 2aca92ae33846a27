"""Rows as typed records."""

from datetime import datetime
from typing import Protocol


class WikiRow(Protocol):
    """A row of `wikis`."""

    id: int
    project_id: int | None
    group_id: int | None
    head: str | None
    writing_since: datetime | None
    writer_id: int | None


class WikiPageRow(Protocol):
    """A row of `wiki_pages`."""

    id: int
    project_id: int | None
    group_id: int | None
    slug: str
    title: str
    format: str
