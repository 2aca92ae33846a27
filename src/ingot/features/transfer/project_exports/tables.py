"""Exports: the jobs that people asked for, and the archives that they can download."""

from sqlalchemy import BigInteger, Column, ForeignKey, Index, String, Table, Text

from ingot.features.transfer.project_exports.leftover_files import archive_files
from ingot.features.transfer.project_exports.leftovers import archive_leftovers
from ingot.kit.db import Id, UtcDateTime, metadata

project_exports = Table(
    "project_exports",
    metadata,
    Column("id", Id, primary_key=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("status", String(16), nullable=False),  # queued | started | finished | failed
    Column("description", Text, nullable=True),  # overrides the project's inside the archive
    Column("sealed_upload_url", Text, nullable=True),  # removed when the work ends
    Column("upload_method", String(8), nullable=True),
    Column("blob_key", String(255), nullable=True),  # the new archive, until it replaces the old one
    Column("error", Text, nullable=True),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)
Index("ix_project_exports_owner", project_exports.c.project_id, project_exports.c.user_id, project_exports.c.id)
Index("ix_project_exports_status", project_exports.c.status, project_exports.c.updated_at)

# One archive per project and user.
project_export_files = Table(
    "project_export_files",
    metadata,
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    Column("blob_key", String(255), nullable=False),
    Column("file_name", String(255), nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("created_at", UtcDateTime, nullable=False, index=True),
)

__all__ = ["archive_files", "archive_leftovers", "project_export_files", "project_exports"]
