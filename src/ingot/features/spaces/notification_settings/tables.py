"""What somebody chose: in general, or about a project or a group."""

from sqlalchemy import Boolean, CheckConstraint, Column, ForeignKey, Index, SmallInteger, String, Table

from ingot.kit.db import Id, Json, UtcDateTime, metadata
from ingot.kit.indexes import PartialIndex

notification_settings = Table(
    "notification_settings",
    metadata,
    Column("id", Id, primary_key=True),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=True),
    Column("group_id", Id, ForeignKey("namespaces.id", ondelete="CASCADE"), nullable=True),
    Column("level", SmallInteger, nullable=False),
    Column("events", Json, nullable=False),  # names with true or false, as far as they were chosen
    # Both only in the general one.
    Column("notification_email", String(255), nullable=True),
    Column("notified_of_own_activity", Boolean, nullable=False, server_default="0"),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    CheckConstraint("project_id IS NULL OR group_id IS NULL", name="one_place"),
    sqlite_autoincrement=True,
)
_columns = notification_settings.c
_GENERAL = _columns.project_id.is_(None) & _columns.group_id.is_(None)
PartialIndex(
    "ux_notification_settings_general",
    _columns.user_id,
    unique=True,
    where=_GENERAL,
)
Index("ux_notification_settings_project", _columns.project_id, _columns.user_id, unique=True)
Index("ux_notification_settings_group", _columns.group_id, _columns.user_id, unique=True)
Index("ix_notification_settings_user_id", _columns.user_id)
