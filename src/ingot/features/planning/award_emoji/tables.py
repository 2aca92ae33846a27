"""Reactions on merge requests, issues, snippets and notes."""

from sqlalchemy import Column, ForeignKey, Index, String, Table, UniqueConstraint

from ingot.kit.db import Id, UtcDateTime, metadata

award_emoji = Table(
    "award_emoji",
    metadata,
    Column("id", Id, primary_key=True),
    Column("awardable_type", String(32), nullable=False),  # MergeRequest | Issue | Snippet | Note
    Column("awardable_id", Id, nullable=False),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("name", String(255), nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    UniqueConstraint("awardable_type", "awardable_id", "user_id", "name"),
    sqlite_autoincrement=True,
)
Index("ix_award_emoji_awardable", award_emoji.c.awardable_type, award_emoji.c.awardable_id)
