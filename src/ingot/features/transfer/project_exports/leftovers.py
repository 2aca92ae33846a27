"""What archives contain and the product does not model: kept verbatim when imported, written back when exported.

A row belongs to one of our records (`owner_id`) and has its unmodelled keys, or to none and is a whole record of an
unknown relation.
"""

from collections.abc import Collection, Iterator
from typing import Any

from sqlalchemy import Column, Connection, ForeignKey, Index, String, Table, select

from ingot.kit.db import Id, Json, metadata

archive_leftovers = Table(
    "archive_leftovers",
    metadata,
    Column("id", Id, primary_key=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),
    Column("relation", String(64), nullable=False),
    Column("owner_id", Id, nullable=True),
    Column("data", Json, nullable=False),
    sqlite_autoincrement=True,
)
Index(
    "ix_archive_leftovers_place",
    archive_leftovers.c.project_id,
    archive_leftovers.c.relation,
    archive_leftovers.c.owner_id,
)

BATCH = 500


def preserved_for(
    conn: Connection, project_id: int, relation: str, owner_ids: Collection[int]
) -> dict[int, dict[str, Any]]:
    """The unmodelled keys of a batch of records."""
    table = archive_leftovers
    query = select(table.c.owner_id, table.c.data).where(
        table.c.project_id == project_id, table.c.relation == relation, table.c.owner_id.in_(list(owner_ids))
    )
    return {row.owner_id: row.data for row in conn.execute(query)}


def preserved_records(conn: Connection, project_id: int, relation: str) -> Iterator[Any]:
    """Whole records of a relation that we do not model, in their order."""
    table, last = archive_leftovers, 0
    while True:
        rows = conn.execute(
            select(table.c.id, table.c.data)
            .where(
                table.c.project_id == project_id,
                table.c.relation == relation,
                table.c.owner_id.is_(None),
                table.c.id > last,
            )
            .order_by(table.c.id)
            .limit(BATCH)
        ).all()
        if not rows:
            return
        yield from (row.data for row in rows)
        last = rows[-1].id


def preserved_relations(conn: Connection, project_id: int) -> set[str]:
    """Relations of which whole records are kept."""
    table = archive_leftovers
    query = select(table.c.relation).where(table.c.project_id == project_id, table.c.owner_id.is_(None)).distinct()
    return set(conn.execute(query).scalars())
