"""Imports: requests, progress and failures."""

from sqlalchemy import Boolean, Column, ForeignKey, Index, Integer, String, Table, Text

from ingot.kit.db import Id, Json, UtcDateTime, metadata

project_imports = Table(
    "project_imports",
    metadata,
    Column("id", Id, primary_key=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("correlation_id", String(64), nullable=False),
    Column("blob_key", String(255), nullable=True),  # the archive, once it is here
    Column("sealed_url", Text, nullable=True),  # where it comes from; removed when the work ends
    Column("override_params", Json, nullable=False),
    # Overwriting: the project to replace, and the name and path that the new one takes in the end.
    Column("replaces_id", Id, nullable=True),
    Column("final_name", String(255), nullable=True),
    Column("final_path", String(255), nullable=True),
    # Records per relation and mapped users, for the summary of the command line.
    Column("summary", Json, nullable=True),
    Column("ended", Boolean, nullable=False, server_default="0"),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)

# How many lines of a relation are stored; written in the transaction that stores them.
import_progress = Table(
    "import_progress",
    metadata,
    Column("owner", String(64), primary_key=True),  # import-7 or relation-3
    Column("relation", String(64), primary_key=True),
    Column("next_line", Integer, nullable=False),
    Column("stored", Integer, nullable=False),
)

project_import_failures = Table(
    "project_import_failures",
    metadata,
    Column("id", Id, primary_key=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),
    Column("correlation_id", String(64), nullable=False),
    Column("exception_class", String(128), nullable=False),
    Column("exception_message", String(255), nullable=False),
    Column("source", String(128), nullable=False),
    Column("relation_name", String(64), nullable=False),
    Column("line_number", Integer, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)
Index("ix_project_import_failures_run", project_import_failures.c.project_id, project_import_failures.c.correlation_id)

relation_imports = Table(
    "relation_imports",
    metadata,
    Column("id", Id, primary_key=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("relation", String(32), nullable=False),
    Column("status", String(16), nullable=False),  # created | started | finished | failed
    Column("blob_key", String(255), nullable=True),
    Column("correlation_id", String(64), nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)
