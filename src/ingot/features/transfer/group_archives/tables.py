"""Exports and imports of groups."""

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, String, Table, Text, UniqueConstraint, false

from ingot.kit.db import Id, UtcDateTime, metadata

# One archive per group and user.
group_exports = Table(
    "group_exports",
    metadata,
    Column("id", Id, primary_key=True),
    Column("group_id", Id, ForeignKey("namespaces.id", ondelete="CASCADE"), nullable=False),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("blob_key", String(255), nullable=True),
    Column("new_blob_key", String(255), nullable=True),  # until it takes the place of the former
    Column("file_name", String(255), nullable=True),
    Column("size", BigInteger, nullable=False, server_default="0"),
    Column("error", Text, nullable=True),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False, index=True),
    UniqueConstraint("group_id", "user_id"),
    sqlite_autoincrement=True,
)

group_imports = Table(
    "group_imports",
    metadata,
    Column("id", Id, primary_key=True),
    Column("group_id", Id, ForeignKey("namespaces.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("blob_key", String(255), nullable=True),  # removed when the work ends
    Column("ended", Boolean, nullable=False, server_default=false()),
    Column("error", Text, nullable=True),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False, index=True),
    sqlite_autoincrement=True,
)
