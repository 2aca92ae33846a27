"""Snippets and their files."""

from sqlalchemy import Column, ForeignKey, Integer, SmallInteger, String, Table, Text

from ingot.identity.departures import OWN_WRITING
from ingot.kit.db import Id, UtcDateTime, metadata

snippets = Table(
    "snippets",
    metadata,
    Column("id", Id, primary_key=True),
    # None: the author's own.
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=True, index=True),
    Column("author_id", Id, nullable=False, index=True, info=OWN_WRITING),
    Column("title", String(255), nullable=False),
    Column("description", Text, nullable=True),
    Column("visibility", SmallInteger, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)

snippet_files = Table(
    "snippet_files",
    metadata,
    Column("snippet_id", Id, ForeignKey("snippets.id", ondelete="CASCADE"), primary_key=True),
    Column("path", String(255), primary_key=True),
    Column("position", Integer, nullable=False),
    Column("content", Text, nullable=False),
)
