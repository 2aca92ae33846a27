"""The push rule of a project."""

from typing import Any

from sqlalchemy import Connection, select

from ingot.access.rows import ProjectRow
from ingot.features.code.push_rules import FIELDS, project_push_rules
from ingot.features.transfer.project_exports.leftovers import preserved_for, preserved_records
from ingot.features.transfer.project_exports.records import times
from ingot.kit.services import Services


def push_rule(_: Services, conn: Connection, project: ProjectRow) -> dict[str, Any] | None:
    """The rule, or None."""
    query = select(project_push_rules).where(project_push_rules.c.project_id == project.id)
    row = conn.execute(query).one_or_none()
    if row is None:
        # One that came before rules had a table.
        return next(preserved_records(conn, project.id, "push_rule"), None)
    rest = preserved_for(conn, project.id, "push_rule", [row.id]).get(row.id, {})
    values = {name: getattr(row, name) for name in FIELDS}
    return {**times(row), **rest, "project_id": row.project_id, **values}
