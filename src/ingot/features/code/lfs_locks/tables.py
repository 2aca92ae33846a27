"""Paths of a project that are locked, each by one person."""

from sqlalchemy import Column, ForeignKey, String, Table, UniqueConstraint

from ingot.kit.db import Id, UtcDateTime, metadata
from ingot.kit.settled_data import settled_table

LONGEST_PATH = 511

lfs_locks = Table(
    "lfs_locks",
    metadata,
    Column("id", Id, primary_key=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("path", String(LONGEST_PATH), nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    UniqueConstraint("project_id", "path"),
    sqlite_autoincrement=True,
)

settled_table(lfs_locks)
