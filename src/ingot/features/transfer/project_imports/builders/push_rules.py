"""The push rule of a project."""

from typing import Any

from sqlalchemy import Connection, delete, insert

from ingot.features.code.push_rules import FIELDS, project_push_rules, rule_problems
from ingot.features.transfer.project_imports.context import ImportContext
from ingot.features.transfer.project_imports.values import BadRecord, Record, flag, moment_or, number, text

RELATION = "push_rule"


def build(context: ImportContext, tx: Connection, record: Record) -> None:
    """Store the rule; it replaces the one that the project copied from its group."""
    values = {name: _value(record, name) for name in FIELDS}
    for name, sentences in rule_problems(values).items():
        raise BadRecord(f"{name.replace('_', ' ').capitalize()} {sentences[0]}")
    moments = {name: moment_or(record, name, context.started) for name in ("created_at", "updated_at")}
    table = project_push_rules
    tx.execute(delete(table).where(table.c.project_id == context.project.id))
    created = insert(table).values(project_id=context.project.id, **values, **moments)
    row_id = int(tx.execute(created.returning(table.c.id)).scalar_one())
    context.keep_rest(tx, RELATION, row_id, record, frozenset({"project_id", *values, *moments}))


def _value(record: Record, name: str) -> Any:
    if name == "max_file_size":
        return number(record, name) or 0
    if name.endswith("_regex"):
        return text(record, name) or ""
    return flag(record, name)
