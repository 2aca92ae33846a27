"""Summary of an import: records read, stored and failed per relation, and mapped users."""

from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import Connection, func, select

from ingot.features.transfer.project_imports.tables import import_progress, project_import_failures, project_imports
from ingot.identity.tables import users


class ImportView(msgspec.Struct, frozen=True):
    """A project's newest import as its page shows it."""

    has_ended: bool
    started_at: datetime
    changed_at: datetime
    path: str | None  # that the project gets in the end, where that is another
    stored: dict[str, int]  # lines of each relation that are stored so far
    relations: list[list[Any]]  # of one that has ended: relation, held, stored, failed
    people: list[list[Any]]  # member, user


def newest_import(conn: Connection, project_id: int) -> ImportView | None:
    """None where the project was not imported."""
    query = select(project_imports).where(project_imports.c.project_id == project_id)
    record = conn.execute(query.order_by(project_imports.c.id.desc()).limit(1)).one_or_none()
    if record is None:
        return None
    lines = select(import_progress).where(import_progress.c.owner == f"import-{record.id}")
    stored = {row.relation: row.stored for row in conn.execute(lines.order_by(import_progress.c.relation))}
    relations, people = summary_of(conn, record.id) if record.summary else ([], [])
    return ImportView(record.ended, record.created_at, record.updated_at, record.final_path, stored, relations, people)


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
    numbers = [record.user_id, *summary.get("people", {}).values()]
    query = select(users.c.id, users.c.username).where(users.c.id.in_(numbers))
    names = {row.id: row.username for row in conn.execute(query)}
    people = [[who, names.get(user_id, "?")] for who, user_id in summary.get("people", {}).items()]
    return relations, [*people, ["everybody else", names.get(record.user_id, "?")]]
