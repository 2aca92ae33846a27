"""The table of bookmarks."""

from sqlalchemy import Column, ForeignKey, Index, String, Table

from ingot.archives.relations import archive_table
from ingot.identity.departures import GOES_TO_GHOST
from ingot.kit.db import Id, UtcDateTime, metadata

bookmarks = Table(
    "bookmarks",
    metadata,
    Column("id", Id, primary_key=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),
    Column("author_id", Id, ForeignKey("users.id"), nullable=False, info=GOES_TO_GHOST),
    Column("title", String(255), nullable=False),
    Column("url", String(1000), nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
)
Index("ix_bookmarks_project_id", bookmarks.c.project_id)

archive_table("project_bookmarks", bookmarks)
