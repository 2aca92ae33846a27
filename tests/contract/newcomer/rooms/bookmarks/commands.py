"""Changing bookmarks."""

from sqlalchemy import Connection, insert

from ingot.features.planning.bookmarks.params import CreateBookmark
from ingot.features.planning.bookmarks.rows import BookmarkRow
from ingot.features.planning.bookmarks.tables import bookmarks
from ingot.kit.clock import now
from ingot.kit.errors import Invalid


def create(tx: Connection, project_id: int, author_id: int, options: CreateBookmark) -> BookmarkRow:
    """A new bookmark."""
    for name, longest in (("title", 255), ("url", 1000)):
        if len(getattr(options, name)) > longest:
            raise Invalid({name: [f"is too long (maximum is {longest} characters)"]})
    created = insert(bookmarks).values(
        project_id=project_id, author_id=author_id, title=options.title, url=options.url, created_at=now()
    )
    return tx.execute(created.returning(*bookmarks.c)).one()
