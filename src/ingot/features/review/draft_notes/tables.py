"""The table of draft notes. Archives do not carry them: they are private to their authors."""

from sqlalchemy import Boolean, Column, ForeignKey, Index, String, Table, Text

from ingot.kit.db import Id, Json, UtcDateTime, metadata

draft_notes = Table(
    "draft_notes",
    metadata,
    Column("id", Id, primary_key=True),
    Column("merge_request_id", Id, ForeignKey("merge_requests.id", ondelete="CASCADE"), nullable=False),
    Column("author_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("note", Text, nullable=False),
    Column("discussion_id", String(40), nullable=True),  # the thread that it answers
    Column("resolve_discussion", Boolean, nullable=False),
    Column("commit_id", String(64), nullable=True),
    Column("position", Json, nullable=True),
    Column("line_code", String(128), nullable=True),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)
Index("ix_draft_notes_merge_request_author", draft_notes.c.merge_request_id, draft_notes.c.author_id, draft_notes.c.id)
