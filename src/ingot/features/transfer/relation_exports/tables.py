"""Exported relations of projects, and the parts of those that were asked for in batches."""

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Integer, SmallInteger, String, Table, Text
from sqlalchemy import UniqueConstraint as Unique

from ingot.kit.db import Id, UtcDateTime, metadata

relation_exports = Table(
    "relation_exports",
    metadata,
    Column("id", Id, primary_key=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("relation", String(64), nullable=False),
    Column("run", String(32), nullable=False),  # the request that asked for it last; older work stops
    Column("status", SmallInteger, nullable=False),  # 0 started | 1 finished | -1 failed
    Column("error", Text, nullable=True),
    Column("batched", Boolean, nullable=False),
    Column("batches_count", Integer, nullable=False),
    Column("total_objects_count", Integer, nullable=False),
    Column("blob_key", String(255), nullable=True),
    Column("size", BigInteger, nullable=False, server_default="0"),
    Column("updated_at", UtcDateTime, nullable=False, index=True),
    Unique("project_id", "user_id", "relation"),
    sqlite_autoincrement=True,
)

relation_export_batches = Table(
    "relation_export_batches",
    metadata,
    Column("export_id", Id, ForeignKey("relation_exports.id", ondelete="CASCADE"), primary_key=True),
    Column("batch_number", Integer, primary_key=True),
    Column("status", SmallInteger, nullable=False),
    Column("objects_count", Integer, nullable=False),
    Column("error", Text, nullable=True),
    Column("blob_key", String(255), nullable=True),
    Column("size", BigInteger, nullable=False, server_default="0"),
    Column("updated_at", UtcDateTime, nullable=False),
)
