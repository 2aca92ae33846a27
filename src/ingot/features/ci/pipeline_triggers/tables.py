"""Trigger tokens of projects."""

from sqlalchemy import Column, ForeignKey, String, Table, Text

from ingot.identity.departures import GOES_TO_GHOST
from ingot.kit.db import Id, UtcDateTime, metadata

pipeline_triggers = Table(
    "pipeline_triggers",
    metadata,
    Column("id", Id, primary_key=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("owner_id", Id, nullable=True, index=True, info=GOES_TO_GHOST),
    Column("description", Text, nullable=False),
    Column("token_digest", String(64), nullable=False, unique=True),
    Column("sealed_token", Text, nullable=False),  # its owner may read it again
    Column("expires_at", UtcDateTime, nullable=True),
    Column("last_used_at", UtcDateTime, nullable=True),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)
