"""Notes: plain comments, threads, diff notes and system notes; and the suggestions in diff notes."""

from sqlalchemy import Boolean, Column, ForeignKey, Index, Integer, String, Table, Text, and_, func, literal_column

from ingot.identity.departures import GOES_TO_GHOST, OWN_WRITING
from ingot.kit.db import Id, Json, UtcDateTime, metadata
from ingot.kit.indexes import PartialIndex

notes = Table(
    "notes",
    metadata,
    Column("id", Id, primary_key=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=True, index=True),
    Column("noteable_type", String(32), nullable=False),  # MergeRequest | Issue | Commit | Snippet
    Column("noteable_id", Id, nullable=True),
    Column("commit_id", String(64), nullable=True),
    Column("author_id", Id, nullable=True, index=True, info=OWN_WRITING),
    Column("body", Text, nullable=False),
    Column("type", String(32), nullable=True),  # DiscussionNote | DiffNote
    Column("discussion_id", String(40), nullable=False),
    Column("starts_thread", Boolean, nullable=False, server_default="1"),  # the first note of its discussion
    Column("system", Boolean, nullable=False, server_default="0"),
    Column("system_action", String(32), nullable=True),
    Column("system_commit_count", Integer, nullable=True),
    # The target of a system note in another project: its readers need rights there too.
    Column("source_type", String(32), nullable=True),  # Issue | MergeRequest | Commit
    Column("source_id", Id, nullable=True),  # of a commit, the id of its project
    Column("internal", Boolean, nullable=False, server_default="0"),
    # Diff notes: current position, original position, and last change of it (archives contain all three).
    Column("position", Json, nullable=True),
    Column("original_position", Json, nullable=True),
    Column("change_position", Json, nullable=True),
    Column("line_code", String(128), nullable=True),
    Column("resolvable", Boolean, nullable=False, server_default="0"),
    Column("resolved_at", UtcDateTime, nullable=True),
    Column("resolved_by_id", Id, nullable=True, info=GOES_TO_GHOST),
    Column("resolved_by_push", Boolean, nullable=True),
    Column("updated_by_id", Id, nullable=True, info=GOES_TO_GHOST),
    Column("last_edited_at", UtcDateTime, nullable=True),
    Column("imported_from", String(32), nullable=False, server_default="none"),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)
# `system` comes last so that comments are counted in the index alone.
Index("ix_notes_noteable", notes.c.noteable_type, notes.c.noteable_id, notes.c.created_at, notes.c.id, notes.c.system)
# Serves a page of threads, and their number, from one entry per thread.
PartialIndex(
    "ix_notes_threads",
    notes.c.noteable_type,
    notes.c.noteable_id,
    notes.c.created_at,
    notes.c.id,
    where=notes.c.starts_thread,
)
# Few notes are internal: their number is subtracted from the number of comments.
PartialIndex(
    "ix_notes_internal",
    notes.c.noteable_type,
    notes.c.noteable_id,
    where=notes.c.internal,
)
_UNRESOLVED = and_(notes.c.resolvable, notes.c.resolved_at.is_(None))
PartialIndex(
    "ix_notes_unresolved",
    notes.c.noteable_type,
    notes.c.noteable_id,
    notes.c.discussion_id,
    where=_UNRESOLVED,
)
# Serves the list of commenters with one index step per user.
PartialIndex(
    "ix_notes_commenters",
    notes.c.noteable_type,
    notes.c.noteable_id,
    notes.c.author_id,
    where=~notes.c.system,
)
# Comments that may name people. Literals: a planner takes the index only where it reads the same words in a query.
NAMES_PEOPLE = and_(
    ~notes.c.system, func.replace(notes.c.body, literal_column("'@'"), literal_column("''")) != notes.c.body
)
PartialIndex(
    "ix_notes_naming",
    notes.c.noteable_type,
    notes.c.noteable_id,
    notes.c.id,
    where=NAMES_PEOPLE,
)
Index("ix_notes_discussion", notes.c.discussion_id)
Index("ix_notes_commit", notes.c.project_id, notes.c.commit_id)

suggestions = Table(
    "suggestions",
    metadata,
    Column("id", Id, primary_key=True),
    Column("note_id", Id, ForeignKey("notes.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("relative_order", Integer, nullable=False),
    Column("lines_above", Integer, nullable=False, server_default="0"),
    Column("lines_below", Integer, nullable=False, server_default="0"),
    Column("from_content", Text, nullable=False),
    Column("to_content", Text, nullable=False),
    Column("applied", Boolean, nullable=False, server_default="0"),
    Column("outdated", Boolean, nullable=False, server_default="0"),
    Column("commit_id", String(64), nullable=True),
    sqlite_autoincrement=True,
)
