"""Which project or group a bot belongs to; the row is deleted with either, and the bot is removed soon after."""

from sqlalchemy import CheckConstraint, Column, ForeignKey, Table

from ingot.kit.db import Id, metadata

resource_bots = Table(
    "resource_bots",
    metadata,
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=True, index=True),
    Column("group_id", Id, ForeignKey("namespaces.id", ondelete="CASCADE"), nullable=True, index=True),
    CheckConstraint("(group_id IS NULL) <> (project_id IS NULL)", name="one_source"),
)
