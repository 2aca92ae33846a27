"""The table of freeze periods."""

from sqlalchemy import Column, ForeignKey, String, Table

from ingot.kit.db import Id, UtcDateTime, metadata

freeze_periods = Table(
    "freeze_periods",
    metadata,
    Column("id", Id, primary_key=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False, index=True),
    # Cron expressions: a period lasts from a moment of the first to the next moment of the second.
    Column("freeze_start", String(255), nullable=False),
    Column("freeze_end", String(255), nullable=False),
    Column("cron_timezone", String(255), nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)
