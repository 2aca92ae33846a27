"""Labels of projects and groups, and their order of importance within a project."""

from sqlalchemy import CheckConstraint, Column, ForeignKey, Integer, String, Table, Text, UniqueConstraint

from ingot.kit.db import Id, UtcDateTime, metadata

labels = Table(
    "labels",
    metadata,
    Column("id", Id, primary_key=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=True),
    Column("group_id", Id, ForeignKey("namespaces.id", ondelete="CASCADE"), nullable=True),
    Column("name", String(255), nullable=False, index=True),
    Column("color", String(16), nullable=False),
    Column("description", Text, nullable=True),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    CheckConstraint("(group_id IS NULL) <> (project_id IS NULL)", name="one_owner"),
    UniqueConstraint("project_id", "name"),
    UniqueConstraint("group_id", "name"),
    sqlite_autoincrement=True,
)

label_priorities = Table(
    "label_priorities",
    metadata,
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True),
    Column("label_id", Id, ForeignKey("labels.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("priority", Integer, nullable=False),
)

label_subscriptions = Table(
    "label_subscriptions",
    metadata,
    Column("label_id", Id, ForeignKey("labels.id", ondelete="CASCADE"), primary_key=True),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
)
