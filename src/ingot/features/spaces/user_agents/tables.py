"""Clients by which things were created; deleted with the thing, and with the person."""

from sqlalchemy import CheckConstraint, Column, ForeignKey, String, Table

from ingot.kit.db import Id, metadata

user_agent_details = Table(
    "user_agent_details",
    metadata,
    Column("id", Id, primary_key=True),
    Column("issue_id", Id, ForeignKey("issues.id", ondelete="CASCADE"), nullable=True, unique=True),
    Column("snippet_id", Id, ForeignKey("snippets.id", ondelete="CASCADE"), nullable=True, unique=True),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("user_agent", String(255), nullable=False),
    Column("ip_address", String(64), nullable=False),
    CheckConstraint("(issue_id IS NULL) <> (snippet_id IS NULL)", name="one_subject"),
    sqlite_autoincrement=True,
)
