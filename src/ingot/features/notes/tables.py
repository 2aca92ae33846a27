"""Notes: plain comments, threads, diff notes and system notes."""

from sqlalchemy import Boolean, Column, ForeignKey, Index, String, Table, Text

from ingot.kit.db import Id, Json, UtcDateTime, metadata

notes = Table(
    "notes",
    metadata,
    Column("id", Id, primary_key=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=True, index=True),
    Column("noteable_type", String(32), nullable=False),  # MergeRequest | Issue | Commit | Snippet
    Column("noteable_id", Id, nullable=True),
    Column("commit_id", String(64), nullable=True),
    Column("author_id", Id, nullable=True, index=True),
    Column("body", Text, nullable=False),
    Column("type", String(32), nullable=True),  # DiscussionNote | DiffNote
    Column("discussion_id", String(40), nullable=False),
    Column("system", Boolean, nullable=False, server_default="0"),
    Column("system_action", String(32), nullable=True),
    Column("internal", Boolean, nullable=False, server_default="0"),
    Column("position", Json, nullable=True),
    Column("resolvable", Boolean, nullable=False, server_default="0"),
    Column("resolved_at", UtcDateTime, nullable=True),
    Column("resolved_by_id", Id, nullable=True),
    Column("last_edited_at", UtcDateTime, nullable=True),
    Column("imported_from", String(32), nullable=False, server_default="none"),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)
Index("ix_notes_noteable", notes.c.noteable_type, notes.c.noteable_id, notes.c.id)
Index("ix_notes_discussion", notes.c.discussion_id)
