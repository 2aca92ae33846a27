"""Custom roles."""

from sqlalchemy import Column, ForeignKey, SmallInteger, String, Table, Text

from ingot.kit.db import Id, Json, UtcDateTime, metadata

member_roles = Table(
    "member_roles",
    metadata,
    Column("id", Id, primary_key=True),
    # None: a role of the instance, usable in every group.
    Column("group_id", Id, ForeignKey("namespaces.id", ondelete="CASCADE"), nullable=True, index=True),
    Column("name", String(255), nullable=False),
    Column("description", Text, nullable=True),
    Column("base_access_level", SmallInteger, nullable=False),
    Column("permissions", Json, nullable=False),  # names of those that are on
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)
