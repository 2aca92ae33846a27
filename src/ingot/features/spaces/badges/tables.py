"""Badges of projects and of groups."""

from sqlalchemy import Column, Connection, ForeignKey, String, Table, Text, func, select

from ingot.archives.relations import archive_table
from ingot.features.spaces.badges.addresses import badge_problems
from ingot.kit.counters import next_value
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


def next_badge_id(tx: Connection) -> int:
    """The id of a new badge: no other has it, since lists of projects show those of their groups too."""
    number = next_value(tx, "instance", "badges")
    # The counter began when there were badges already; whoever comes after this one waits for it.
    tables = (project_badges, group_badges)
    highest = max(tx.execute(select(func.max(table.c.id))).scalar_one() or 0 for table in tables)
    if number <= highest:
        number = next_value(tx, "instance", "badges", by=highest + 1 - number)
    if tx.dialect.name == "postgresql":  # whose own numbering would stay behind: a node of the version before uses it
        for table in tables:
            tx.execute(select(func.setval(func.pg_get_serial_sequence(table.name, "id"), number)))
    return number


archive_table("project_badges", project_badges, problems=badge_problems, next_id=next_badge_id)
