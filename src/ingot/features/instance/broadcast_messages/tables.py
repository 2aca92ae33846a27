"""Messages to everybody."""

from sqlalchemy import Boolean, Column, String, Table, Text

from ingot.kit.db import Id, Json, UtcDateTime, metadata

broadcast_messages = Table(
    "broadcast_messages",
    metadata,
    Column("id", Id, primary_key=True),
    Column("message", Text, nullable=False),
    Column("starts_at", UtcDateTime, nullable=False),
    Column("ends_at", UtcDateTime, nullable=False),
    Column("color", String(16), nullable=False),
    Column("font", String(16), nullable=False),
    Column("target_access_levels", Json, nullable=False),
    Column("target_path", String(255), nullable=True),
    Column("broadcast_type", String(16), nullable=False),
    Column("theme", String(16), nullable=False),
    Column("dismissable", Boolean, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)
