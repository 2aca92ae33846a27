"""Rows as typed records."""

from datetime import datetime
from typing import Protocol


class BookmarkRow(Protocol):
    """A row of `bookmarks`."""

    id: int
    author_id: int
    title: str
    url: str
    created_at: datetime
