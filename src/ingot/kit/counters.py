"""Internal ids: one counter row per owner and kind, so that a number is never given out twice."""

from sqlalchemy import Column, Connection, Integer, String, Table, select

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
    statement = upsert(tx.dialect.name, counters).values(owner=owner, kind=kind, value=by)
    statement = statement.on_conflict_do_update(index_elements=["owner", "kind"], set_={"value": counters.c.value + by})
    return int(tx.execute(statement.returning(counters.c.value)).scalar_one())


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
