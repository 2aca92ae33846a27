"""Followers, statuses, secondary addresses and SSH keys of users."""

from sqlalchemy import CheckConstraint, Column, ForeignKey, String, Table, Text

from ingot.kit.db import Id, UtcDateTime, metadata

follows = Table(
    "user_follows",
    metadata,
    Column("follower_id", Id, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    Column("followee_id", Id, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("created_at", UtcDateTime, nullable=False),
    CheckConstraint("follower_id <> followee_id", name="not_oneself"),
)

statuses = Table(
    "user_statuses",
    metadata,
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    Column("emoji", String(64), nullable=False),
    Column("message", String(100), nullable=False),
    Column("availability", String(16), nullable=False),
    Column("clear_at", UtcDateTime, nullable=True),
)

emails = Table(
    "user_emails",
    metadata,
    Column("id", Id, primary_key=True),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("email", String(255), nullable=False),
    Column("email_lower", String(255), nullable=False, unique=True),
    Column("confirmed_at", UtcDateTime, nullable=True),
    Column("created_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)

keys = Table(
    "user_keys",
    metadata,
    Column("id", Id, primary_key=True),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("title", String(255), nullable=False),
    Column("key", Text, nullable=False),
    Column("fingerprint", String(64), nullable=False, unique=True),  # SHA-256, base64
    Column("usage_type", String(16), nullable=False),
    Column("expires_at", UtcDateTime, nullable=True),
    Column("created_at", UtcDateTime, nullable=False),
    Column("last_used_at", UtcDateTime, nullable=True),
    sqlite_autoincrement=True,
)
