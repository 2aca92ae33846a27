"""Bookmarks on the wire."""

from collections.abc import Sequence
from datetime import datetime

from ingot.access.call import Call
from ingot.features.planning.bookmarks.rows import BookmarkRow
from ingot.kit.entity import Entity, wire


class Bookmark(Entity):
    """A bookmark of a project."""

    id: int
    author_id: int
    title: str
    url: str
    created_at: datetime


def present(_: Call, rows: Sequence[BookmarkRow]) -> list[Bookmark]:
    """A page of bookmarks."""
    return [
        Bookmark(id=row.id, author_id=row.author_id, title=row.title, url=row.url, created_at=wire(row.created_at))
        for row in rows
    ]
