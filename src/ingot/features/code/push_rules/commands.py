"""Changing push rules."""

from sqlalchemy import Connection, Table, insert, literal, select, update
from sqlalchemy.exc import IntegrityError

from ingot.access.tables import namespace_ancestors, projects
from ingot.features.code.push_rules.params import SetPushRule
from ingot.features.code.push_rules.rows import PushRuleRow
from ingot.features.code.push_rules.tables import FIELDS, PATTERNS, group_push_rules, project_push_rules
from ingot.features.code.push_rules.values import rule_problems
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now
from ingot.kit.errors import ApiError, Invalid

Place = dict[str, int]  # `project_id` or `group_id`


def create(tx: Connection, table: Table, place: Place, options: SetPushRule, exists: ApiError) -> PushRuleRow:
    """The first rule of a project or group."""
    values = _values(options)
    created = insert(table).values(**place, **values, created_at=now(), updated_at=now()).returning(*table.c)
    try:
        with tx.begin_nested():
            row: PushRuleRow = tx.execute(created).one()
    except IntegrityError:
        raise exists from None
    _report(tx, "create", place, row.id, {"more": values})
    return row


def change(tx: Connection, table: Table, place: Place, row: PushRuleRow, options: SetPushRule) -> PushRuleRow:
    """Change what was sent."""
    values = _values(options)
    changed = update(table).where(table.c.id == row.id).values(**values, updated_at=now())
    result: PushRuleRow = tx.execute(changed.returning(*table.c)).one()
    _report(tx, "update", place, row.id, {"before": _facts(row), "after": _facts(result)})
    return result


def report_deletion(tx: Connection, place: Place, row: PushRuleRow) -> None:
    """The rule was removed."""
    _report(tx, "delete", place, row.id, {})


def copy_rule(tx: Connection, project_id: int) -> None:
    """Give a new project the rule of the nearest group above it that has one."""
    above = (
        select(literal(project_id), *(group_push_rules.c[name] for name in FIELDS), literal(now()), literal(now()))
        .join(namespace_ancestors, namespace_ancestors.c.ancestor_id == group_push_rules.c.group_id)
        .join(projects, projects.c.namespace_id == namespace_ancestors.c.namespace_id)
        .where(projects.c.id == project_id)
        .order_by(namespace_ancestors.c.depth)
        .limit(1)
    )
    tx.execute(insert(project_push_rules).from_select(["project_id", *FIELDS, "created_at", "updated_at"], above))


def _values(options: SetPushRule) -> dict[str, object]:
    values: dict[str, object] = {name: getattr(options, name) for name in FIELDS if name in options.sent}
    empty: dict[str, object] = {**dict.fromkeys(FIELDS, False), **dict.fromkeys(PATTERNS, ""), "max_file_size": 0}
    values = {name: empty[name] if value is None else value for name, value in values.items()}
    problems = rule_problems(values)
    if problems:
        raise Invalid(problems)
    return values


def _facts(row: PushRuleRow) -> dict[str, object]:
    return {name: getattr(row, name) for name in FIELDS}


def _report(tx: Connection, action: str, place: Place, record_id: int, details: dict[str, object]) -> None:
    details = {"type": "push_rule", "name": "push rule", **details}
    report_change(tx, Change("audited_record", action, record_id, **place, details=details))
