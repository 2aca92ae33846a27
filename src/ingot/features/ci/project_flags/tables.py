"""Feature flags with their strategies, the environments of each, and lists of users that strategies name."""

from sqlalchemy import Boolean, Column, ForeignKey, Integer, String, Table, Text, UniqueConstraint

from ingot.kit.db import Id, Json, UtcDateTime, metadata

# Names are listed by code points, the same on both databases.
_BYTE_ORDER = String(63).with_variant(String(63, collation="C"), "postgresql")

project_flags = Table(
    "project_flags",
    metadata,
    Column("id", Id, primary_key=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),
    Column("name", _BYTE_ORDER, nullable=False),
    Column("description", Text, nullable=True),
    Column("active", Boolean, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    UniqueConstraint("project_id", "name"),
    sqlite_autoincrement=True,
)

flag_user_lists = Table(
    "flag_user_lists",
    metadata,
    Column("id", Id, primary_key=True),
    Column("iid", Integer, nullable=False),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),
    Column("name", String(255), nullable=False),
    Column("user_xids", Text, nullable=False),  # separated by commas
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    UniqueConstraint("project_id", "iid"),
    UniqueConstraint("project_id", "name"),
    sqlite_autoincrement=True,
)

flag_strategies = Table(
    "flag_strategies",
    metadata,
    Column("id", Id, primary_key=True),
    Column("flag_id", Id, ForeignKey("project_flags.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("name", String(32), nullable=False),
    Column("parameters", Json, nullable=False),
    # A list in use is not removed alone, only with its project.
    Column("user_list_id", Id, ForeignKey("flag_user_lists.id", ondelete="CASCADE"), nullable=True, index=True),
    sqlite_autoincrement=True,
)

flag_scopes = Table(
    "flag_scopes",
    metadata,
    Column("id", Id, primary_key=True),
    Column("strategy_id", Id, ForeignKey("flag_strategies.id", ondelete="CASCADE"), nullable=False),
    Column("environment_scope", String(255), nullable=False),
    UniqueConstraint("strategy_id", "environment_scope"),
    sqlite_autoincrement=True,
)
