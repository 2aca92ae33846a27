"""Integrations of projects, and what is still to be sent by them. Secret settings are sealed."""

from sqlalchemy import JSON, Boolean, Column, ForeignKey, String, Table, Text, UniqueConstraint

from ingot.kit.db import Id, UtcDateTime, metadata

integrations = Table(
    "integrations",
    metadata,
    Column("id", Id, primary_key=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),
    Column("slug", String(64), nullable=False),
    Column("active", Boolean, nullable=False),
    Column("events", JSON, nullable=False),  # switch -> on or off; what is missing is on
    Column("properties", JSON, nullable=False),
    Column("sealed_secrets", Text, nullable=True),  # an object of texts
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    UniqueConstraint("project_id", "slug"),
    sqlite_autoincrement=True,
)

integration_messages = Table(
    "integration_messages",
    metadata,
    Column("id", Id, primary_key=True),
    Column("integration_id", Id, ForeignKey("integrations.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("flag", String(64), nullable=False),
    Column("mark", String(64), nullable=False),
    Column("payload", Text, nullable=False),
    Column("late_parts", JSON, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)
