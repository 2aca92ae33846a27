"""Time that people spent on issues and merge requests."""

from sqlalchemy import Column, ForeignKey, Integer, String, Table, Text

from ingot.identity.departures import GOES_TO_GHOST
from ingot.kit.db import Id, UtcDateTime, metadata

timelogs = Table(
    "timelogs",
    metadata,
    Column("id", Id, primary_key=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=True, index=True),
    Column("issue_id", Id, ForeignKey("issues.id", ondelete="CASCADE"), nullable=True, index=True),
    Column("merge_request_id", Id, ForeignKey("merge_requests.id", ondelete="CASCADE"), nullable=True, index=True),
    Column("user_id", Id, nullable=True, info=GOES_TO_GHOST),
    Column("time_spent", Integer, nullable=False),
    Column("spent_at", UtcDateTime, nullable=False),
    Column("summary", Text, nullable=True),
    Column("note_id", Id, nullable=True),
    Column("imported_from", String(32), nullable=False, server_default="none"),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)
