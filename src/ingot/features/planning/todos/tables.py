"""To-do items of users."""

from sqlalchemy import Column, ForeignKey, Index, String, Table, Text

from ingot.identity.departures import OWN_WRITING
from ingot.kit.db import Id, UtcDateTime, metadata

todos = Table(
    "todos",
    metadata,
    Column("id", Id, primary_key=True),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("author_id", Id, nullable=True, info=OWN_WRITING),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=True, index=True),
    Column("target_type", String(32), nullable=False),  # Issue | MergeRequest | Commit
    Column("target_id", Id, nullable=True),
    Column("commit_id", String(64), nullable=True),
    Column("note_id", Id, nullable=True),
    Column("action", String(32), nullable=False),
    Column("body", Text, nullable=False),
    Column("state", String(8), nullable=False, server_default="pending"),  # pending | done
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)
Index("ix_todos_user_state", todos.c.user_id, todos.c.state, todos.c.id)
Index("ix_todos_target", todos.c.target_type, todos.c.target_id)
