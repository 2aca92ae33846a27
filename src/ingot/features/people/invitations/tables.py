"""Open invitations; an account with the address accepts and removes them."""

from sqlalchemy import CheckConstraint, Column, Date, ForeignKey, SmallInteger, String, Table, UniqueConstraint

from ingot.identity.departures import GOES_TO_GHOST
from ingot.kit.db import Id, UtcDateTime, metadata

invitations = Table(
    "invitations",
    metadata,
    Column("id", Id, primary_key=True),
    Column("group_id", Id, ForeignKey("namespaces.id", ondelete="CASCADE"), nullable=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=True),
    Column("email", String(255), nullable=False),
    Column("email_lower", String(255), nullable=False, index=True),
    Column("access_level", SmallInteger, nullable=False),
    Column("member_role_id", Id, nullable=True),
    Column("notification_level", SmallInteger, nullable=False, server_default="3"),
    Column("expires_at", Date, nullable=True),
    Column("created_by_id", Id, nullable=True, info=GOES_TO_GHOST),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    CheckConstraint("(group_id IS NULL) <> (project_id IS NULL)", name="one_source"),
    UniqueConstraint("group_id", "email_lower"),
    UniqueConstraint("project_id", "email_lower"),
    sqlite_autoincrement=True,
)
