"""Badges of projects and of groups."""

from sqlalchemy import Column, ForeignKey, String, Table, Text

from ingot.archives.relations import archive_table
from ingot.features.spaces.badges.addresses import badge_problems
from ingot.kit.db import Id, UtcDateTime, metadata


def _columns(owner: str, target: str) -> list[Column[object]]:
    return [
        Column("id", Id, primary_key=True),
        Column(owner, Id, ForeignKey(target, ondelete="CASCADE"), nullable=False, index=True),
        Column("name", String(255), nullable=True),
        Column("link_url", Text, nullable=False),
        Column("image_url", Text, nullable=False),
        Column("created_at", UtcDateTime, nullable=False),
        Column("updated_at", UtcDateTime, nullable=False),
    ]


project_badges = Table("project_badges", metadata, *_columns("project_id", "projects.id"), sqlite_autoincrement=True)
group_badges = Table("group_badges", metadata, *_columns("group_id", "namespaces.id"), sqlite_autoincrement=True)

archive_table("project_badges", project_badges, problems=badge_problems)
