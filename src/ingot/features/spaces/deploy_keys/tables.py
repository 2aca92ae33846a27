"""Deploy keys and their projects."""

from sqlalchemy import Boolean, Column, ForeignKey, String, Table, Text, UniqueConstraint

from ingot.kit.db import Id, UtcDateTime, metadata

deploy_keys = Table(
    "deploy_keys",
    metadata,
    Column("id", Id, primary_key=True),
    Column("user_id", Id, ForeignKey("users.id", ondelete="SET NULL"), nullable=True, index=True),  # who added it
    Column("title", String(255), nullable=False),
    Column("key", Text, nullable=False),
    Column("fingerprint", String(64), nullable=False, unique=True),  # SHA-256, base64, as in `user_keys`
    Column("is_public", Boolean, nullable=False, server_default="0"),  # offered to every project of the instance
    Column("expires_at", UtcDateTime, nullable=True),
    Column("last_used_at", UtcDateTime, nullable=True),
    Column("created_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)

deploy_key_projects = Table(
    "deploy_key_projects",
    metadata,
    Column("id", Id, primary_key=True),
    Column("deploy_key_id", Id, ForeignKey("deploy_keys.id", ondelete="CASCADE"), nullable=False),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("can_push", Boolean, nullable=False, server_default="0"),
    Column("created_at", UtcDateTime, nullable=False),
    UniqueConstraint("deploy_key_id", "project_id"),
)
