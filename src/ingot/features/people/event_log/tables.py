"""Events: who did what, where and to what."""

from sqlalchemy import Column, ForeignKey, Index, Integer, String, Table, Text

from ingot.kit.db import Id, UtcDateTime, metadata

events = Table(
    "events",
    metadata,
    Column("id", Id, primary_key=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),
    Column("author_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("action", String(16), nullable=False),
    Column("target_type", String(32), nullable=True),
    Column("target_id", Id, nullable=True),
    # Of pushes; a push of several refs is one event with their number.
    Column("push_action", String(8), nullable=True),  # created | pushed | removed
    Column("ref_type", String(8), nullable=True),  # branch | tag
    Column("ref", Text, nullable=True),
    Column("commit_from", String(64), nullable=True),
    Column("commit_to", String(64), nullable=True),
    Column("commit_title", String(70), nullable=True),
    Column("commit_count", Integer, nullable=True),
    Column("ref_count", Integer, nullable=True),
    Column("imported_from", String(32), nullable=False, server_default="none"),
    Column("created_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)
Index("ix_events_project_id_id", events.c.project_id, events.c.id)
Index("ix_events_author_id_id", events.c.author_id, events.c.id)
Index("ix_events_target", events.c.target_type, events.c.target_id)
Index("ix_events_created_at", events.c.created_at)
