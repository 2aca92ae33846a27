"""Relations of tables that their rooms declare for archives."""

from collections.abc import Iterator
from datetime import date, datetime
from functools import partial
from typing import Any

from sqlalchemy import Connection, select

from ingot.access.rows import ProjectRow
from ingot.archives.relations import ArchivedTable, archived_tables
from ingot.features.transfer.project_exports.leftovers import preserved_for
from ingot.features.transfer.project_exports.records import batches, stamp, times
from ingot.kit.services import Services


def declared_collections() -> dict[str, Any]:
    """The writers of all declared tables, by the name of their relation."""
    return {name: partial(_records, archived) for name, archived in archived_tables().items()}


def _records(archived: ArchivedTable, _: Services, conn: Connection, project: ProjectRow) -> Iterator[dict[str, Any]]:
    table = archived.table
    for rows in batches(conn, select(table).where(table.c.project_id == project.id), archived.key):
        ids = [row.id for row in rows] if archived.has_id else []
        rest = preserved_for(conn, project.id, archived.relation, ids)
        for row in rows:
            values = {column.name: _written(getattr(row, column.name)) for column in archived.columns()}
            own = rest.get(row.id, {}) if archived.has_id else {}
            # Records have two moments, those of the project where the table has none.
            yield {**times(project), **own, "project_id": row.project_id, **values}


def _written(value: object) -> Any:
    if isinstance(value, datetime):
        return stamp(value)
    return value.isoformat() if isinstance(value, date) else value
