"""Open requests; a decision removes them."""

from sqlalchemy import CheckConstraint, Column, ForeignKey, Table, UniqueConstraint

from ingot.kit.db import Id, UtcDateTime, metadata

access_requests = Table(
    "access_requests",
    metadata,
    Column("id", Id, primary_key=True),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("group_id", Id, ForeignKey("namespaces.id", ondelete="CASCADE"), nullable=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=True),
    Column("requested_at", UtcDateTime, nullable=False),
    CheckConstraint("(group_id IS NULL) <> (project_id IS NULL)", name="one_source"),
    UniqueConstraint("group_id", "user_id"),
    UniqueConstraint("project_id", "user_id"),
    sqlite_autoincrement=True,
)
