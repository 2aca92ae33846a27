"""Reading bookmarks."""

from typing import Any

from sqlalchemy import Select, select

from ingot.features.planning.bookmarks.params import ListBookmarks
from ingot.features.planning.bookmarks.tables import bookmarks


def listed(project_id: int, options: ListBookmarks) -> Select[Any]:
    """The bookmarks of a project, oldest first."""
    query = select(bookmarks).where(bookmarks.c.project_id == project_id)
    if options.title is not None:
        query = query.where(bookmarks.c.title == options.title)
    return query.order_by(bookmarks.c.id)
