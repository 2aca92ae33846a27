"""Changing freeze periods."""

from collections.abc import Mapping

from sqlalchemy import Connection, func, insert, select, update

from ingot.features.ci.freeze_periods.params import CreateFreezePeriod, UpdateFreezePeriod
from ingot.features.ci.freeze_periods.rows import FreezePeriodRow
from ingot.features.ci.freeze_periods.tables import freeze_periods
from ingot.kit.clock import now
from ingot.kit.cron import BadCron, find_zone, parse_cron
from ingot.kit.db import take_turn
from ingot.kit.errors import Invalid

LONGEST = 255
MOST = 50  # every job that starts looks at all of them
INVALID = " is invalid syntax"  # with the blank, as clients know it
FIELDS = ("freeze_start", "freeze_end", "cron_timezone")


def create(tx: Connection, project_id: int, options: CreateFreezePeriod) -> FreezePeriodRow:
    """A new freeze period."""
    values = {name: getattr(options, name) for name in FIELDS}
    _check(values)
    take_turn(tx, f"freeze_periods:{project_id}")
    here = select(func.count()).where(freeze_periods.c.project_id == project_id)
    if tx.execute(here).scalar_one() >= MOST:
        raise Invalid({"base": [f"Maximum number of freeze periods ({MOST}) exceeded"]})
    created = insert(freeze_periods).values(project_id=project_id, created_at=now(), updated_at=now(), **values)
    return tx.execute(created.returning(*freeze_periods.c)).one()


def change(tx: Connection, row: FreezePeriodRow, options: UpdateFreezePeriod) -> FreezePeriodRow:
    """Change what was sent."""
    values = {name: getattr(options, name) or "" for name in FIELDS if name in options.sent}
    _check(values)
    changed = update(freeze_periods).where(freeze_periods.c.id == row.id).values(**values, updated_at=now())
    return tx.execute(changed.returning(*freeze_periods.c)).one()


def _check(values: Mapping[str, str]) -> None:
    problems = {name: [INVALID] for name, text in values.items() if not _is_valid(name, text)}
    if problems:
        raise Invalid(problems)


def _is_valid(name: str, text: str) -> bool:
    if len(text) > LONGEST:
        return False
    if name == "cron_timezone":
        return find_zone(text) is not None
    try:
        parse_cron(text)
    except BadCron:
        return False
    return True
