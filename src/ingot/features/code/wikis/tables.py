"""Wikis that were written to, and their pages, by which events name them. The pages' texts are in git."""

from sqlalchemy import CheckConstraint, Column, ForeignKey, String, Table, Text, UniqueConstraint

from ingot.kit.db import Id, UtcDateTime, metadata

_ONE_OWNER = "(project_id IS NULL) <> (group_id IS NULL)"


def _owner() -> list[Column[object]]:
    return [
        Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=True),
        Column("group_id", Id, ForeignKey("namespaces.id", ondelete="CASCADE"), nullable=True),
    ]


wikis = Table(
    "wikis",
    metadata,
    Column("id", Id, primary_key=True),
    *_owner(),
    Column("head", String(64), nullable=True),  # up to here all changes are recorded
    # Of a write that is under way: when it began, and who writes.
    Column("writing_since", UtcDateTime, nullable=True, index=True),
    Column("writer_id", Id, ForeignKey("users.id", ondelete="SET NULL"), nullable=True, index=True),
    UniqueConstraint("project_id"),
    UniqueConstraint("group_id"),
    CheckConstraint(_ONE_OWNER, name="one_owner"),
    sqlite_autoincrement=True,
)

# A row stays when its page is deleted: events show its title.
wiki_pages = Table(
    "wiki_pages",
    metadata,
    Column("id", Id, primary_key=True),
    *_owner(),
    Column("slug", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("format", String(16), nullable=False),
    UniqueConstraint("project_id", "slug"),
    UniqueConstraint("group_id", "slug"),
    CheckConstraint(_ONE_OWNER, name="one_owner"),
    sqlite_autoincrement=True,
)
