"""Internal ids: one counter row per owner and kind, so that a number is never given out twice."""

from functools import cache
from typing import Any

from sqlalchemy import Column, Connection, Integer, String, Table, select
from sqlalchemy.sql.dml import ReturningInsert

from ingot.kit.db import metadata
from ingot.kit.upsert import upsert

counters = Table(
    "counters",
    metadata,
    Column("owner", String(64), primary_key=True),
    Column("kind", String(64), primary_key=True),
    Column("value", Integer, nullable=False),
)


def next_value(tx: Connection, owner: str, kind: str, by: int = 1) -> int:
    """Take the next number (or a run of `by` numbers, returning the last)."""
    return int(tx.execute(_take(tx.dialect.name), {"owner": owner, "kind": kind, "value": by}).scalar_one())


@cache
def _take(dialect: str) -> ReturningInsert[Any]:
    statement = upsert(dialect, counters)
    more = {"value": counters.c.value + statement.excluded.value}
    return statement.on_conflict_do_update(index_elements=["owner", "kind"], set_=more).returning(counters.c.value)


def hold(tx: Connection, owner: str, kind: str) -> None:
    """Until the end of this transaction nobody else takes a number: for checks that must not run side by side."""
    here = (counters.c.owner == owner, counters.c.kind == kind)
    tx.execute(select(counters.c.value).where(*here).with_for_update())


def raise_to(tx: Connection, owner: str, kind: str, value: int) -> None:
    """Make sure that later numbers are above `value` (imports keep the archive's numbers)."""
    current = tx.execute(
        select(counters.c.value).where(counters.c.owner == owner, counters.c.kind == kind)
    ).scalar_one_or_none()
    if current is None or current < value:
        next_value(tx, owner, kind, by=value - (current or 0))
