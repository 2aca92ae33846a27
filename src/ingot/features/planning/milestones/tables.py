"""Milestones of projects and groups."""

from sqlalchemy import CheckConstraint, Column, Date, ForeignKey, Index, Integer, String, Table, Text, UniqueConstraint

from ingot.kit.db import Id, UtcDateTime, metadata

milestones = Table(
    "milestones",
    metadata,
    Column("id", Id, primary_key=True),
    Column("iid", Integer, nullable=False),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=True),
    Column("group_id", Id, ForeignKey("namespaces.id", ondelete="CASCADE"), nullable=True),
    Column("title", String(255), nullable=False),
    Column("description", Text, nullable=True),
    Column("state", String(16), nullable=False, server_default="active"),
    Column("start_date", Date, nullable=True),
    Column("due_date", Date, nullable=True),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    CheckConstraint("(group_id IS NULL) <> (project_id IS NULL)", name="one_owner"),
    UniqueConstraint("project_id", "iid"),
    UniqueConstraint("group_id", "iid"),
    UniqueConstraint("project_id", "title"),
    UniqueConstraint("group_id", "title"),
    sqlite_autoincrement=True,
)
Index("ix_milestones_title", milestones.c.title)
