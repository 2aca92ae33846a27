"""Summary of an import: records read, stored and failed per relation, and mapped users."""

from typing import Any

from sqlalchemy import Connection, func, select

from ingot.features.transfer.project_imports.tables import project_import_failures, project_imports
from ingot.identity.tables import users


def summary_of(conn: Connection, import_id: int) -> tuple[list[list[Any]], list[list[Any]]]:
    """Rows for two tables: relation, held, stored, failed; and member, user."""
    record = conn.execute(select(project_imports).where(project_imports.c.id == import_id)).one()
    table = project_import_failures
    failed = {
        row[0]: row[1]
        for row in conn.execute(
            select(table.c.relation_name, func.count())
            .where(table.c.project_id == record.project_id, table.c.correlation_id == record.correlation_id)
            .group_by(table.c.relation_name)
        )
    }
    summary = record.summary or {}
    relations = [
        [name, counts["held"], counts["stored"], failed.get(name, 0)]
        for name, counts in summary.get("relations", {}).items()
    ]
    names = {row.id: row.username for row in conn.execute(select(users.c.id, users.c.username))}
    people = [[who, names.get(user_id, "?")] for who, user_id in summary.get("people", {}).items()]
    return relations, [*people, ["everybody else", names.get(record.user_id, "?")]]
