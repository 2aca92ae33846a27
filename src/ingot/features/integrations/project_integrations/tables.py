"""Integrations of projects and groups, and what is still to be sent by them. Secret settings are sealed."""

from sqlalchemy import JSON, Boolean, Column, ForeignKey, String, Table, Text, UniqueConstraint

from ingot.kit.db import Id, UtcDateTime, metadata


def _settings() -> list[Column[object]]:
    return [
        Column("slug", String(64), nullable=False),
        Column("active", Boolean, nullable=False),
        Column("events", JSON, nullable=False),  # switch -> on or off; what is missing is on
        Column("properties", JSON, nullable=False),
        Column("sealed_secrets", Text, nullable=True),  # an object of texts
        Column("created_at", UtcDateTime, nullable=False),
        Column("updated_at", UtcDateTime, nullable=False),
    ]


def _message() -> list[Column[object]]:
    return [
        Column("flag", String(64), nullable=False),
        Column("mark", String(64), nullable=False),
        Column("payload", Text, nullable=False),
        Column("late_parts", JSON, nullable=False),
        Column("created_at", UtcDateTime, nullable=False),
    ]


integrations = Table(
    "integrations",
    metadata,
    Column("id", Id, primary_key=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),
    *_settings(),
    UniqueConstraint("project_id", "slug"),
    sqlite_autoincrement=True,
)

integration_messages = Table(
    "integration_messages",
    metadata,
    Column("id", Id, primary_key=True),
    Column("integration_id", Id, ForeignKey("integrations.id", ondelete="CASCADE"), nullable=False, index=True),
    *_message(),
    sqlite_autoincrement=True,
)

# Hold for all projects below that have no settings of their own.
group_integrations = Table(
    "group_integrations",
    metadata,
    Column("id", Id, primary_key=True),
    Column("group_id", Id, ForeignKey("namespaces.id", ondelete="CASCADE"), nullable=False),
    *_settings(),
    UniqueConstraint("group_id", "slug"),
    sqlite_autoincrement=True,
)

group_integration_messages = Table(
    "group_integration_messages",
    metadata,
    Column("id", Id, primary_key=True),
    Column("integration_id", Id, ForeignKey("group_integrations.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False, index=True),
    *_message(),
    sqlite_autoincrement=True,
)
