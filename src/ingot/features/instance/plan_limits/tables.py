"""Changed limits per plan; all others have their defaults."""

from sqlalchemy import Column, String, Table

from ingot.kit.db import Json, UtcDateTime, metadata

plan_limits = Table(
    "plan_limits",
    metadata,
    Column("plan_name", String(64), primary_key=True),
    Column("limits", Json, nullable=False),  # only the changed ones
    Column("history", Json, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
)
