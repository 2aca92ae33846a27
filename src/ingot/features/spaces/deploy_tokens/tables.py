"""Deploy tokens of projects and groups."""

from sqlalchemy import Boolean, Column, ForeignKey, String, Table, Text

from ingot.kit.db import Id, Json, UtcDateTime, metadata

deploy_tokens = Table(
    "deploy_tokens",
    metadata,
    Column("id", Id, primary_key=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=True, index=True),
    Column("group_id", Id, ForeignKey("namespaces.id", ondelete="CASCADE"), nullable=True, index=True),
    Column("creator_id", Id, ForeignKey("users.id", ondelete="SET NULL"), nullable=True, index=True),
    Column("name", String(255), nullable=False),
    Column("username", String(255), nullable=True),  # None: derived from the id
    Column("digest", String(64), nullable=False, unique=True),
    Column("sealed_token", Text, nullable=False),  # jobs get the token that has a certain name
    Column("scopes", Json, nullable=False),
    Column("expires_at", UtcDateTime, nullable=True),
    Column("revoked", Boolean, nullable=False, server_default="0"),
    Column("created_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)
