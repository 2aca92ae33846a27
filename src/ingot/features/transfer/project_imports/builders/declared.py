"""Records of tables that their rooms declare for archives."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from sqlalchemy import Boolean, Column, Connection, Date, Integer, String, delete, insert

from ingot.archives.relations import ArchivedTable, archived_tables, names_user
from ingot.features.transfer.project_imports.context import ImportContext
from ingot.features.transfer.project_imports.values import (
    BadRecord,
    Record,
    day,
    flag,
    flag_or_none,
    moment,
    moment_or,
    number,
    text,
)
from ingot.kit.db import UtcDateTime


def declared_builders() -> dict[str, Any]:
    """The readers of all declared tables, by the name of their relation."""
    return {name: partial(_build, archived) for name, archived in archived_tables().items()}


def _build(archived: ArchivedTable, context: ImportContext, tx: Connection, record: Mapping[str, object]) -> None:
    values = {column.name: _value(context, column, record) for column in archived.columns()}
    for name, sentences in archived.problems(values).items():
        raise BadRecord(f"{name.replace('_', ' ').capitalize()} {sentences[0]}")
    table, key = archived.table, archived.key
    created = insert(table).values(project_id=context.project.id, **values)
    if archived.next_id is not None:
        created = created.values(id=archived.next_id(tx))
    if archived.has_id:
        row_id = int(tx.execute(created.returning(table.c.id)).scalar_one())
        context.keep_rest(tx, archived.relation, row_id, record, frozenset({"project_id", *values}))
    else:
        tx.execute(delete(table).where(table.c.project_id == context.project.id, key == values[key.name]))
        tx.execute(created)


def _value(context: ImportContext, column: Column[Any], record: Record) -> Any:
    name, kind = column.name, column.type
    if names_user(column):
        return context.people.of(record.get(name))
    if isinstance(kind, UtcDateTime):
        return moment(record, name) if column.nullable else moment_or(record, name, context.started)
    if isinstance(kind, Date):
        return day(record, name)
    if isinstance(kind, Boolean):
        return flag_or_none(record, name) if column.nullable else flag(record, name)
    if isinstance(kind, String):  # and Text
        return text(record, name, longest=kind.length, required=not column.nullable)
    if isinstance(kind, Integer):
        value = number(record, name)
        if value is None and not column.nullable:
            raise BadRecord(f"{name.replace('_', ' ').capitalize()} can't be blank")
        return value
    return record.get(name)
