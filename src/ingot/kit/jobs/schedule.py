"""Periodic work: each interval is handed to the queue by whichever node comes first."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from sqlalchemy import Connection, select, update

from ingot.kit.jobs.counting import database_now
from ingot.kit.jobs.queue import enqueue
from ingot.kit.jobs.registry import Kind, periodic_kinds
from ingot.kit.jobs.tables import schedules
from ingot.kit.upsert import upsert


def has_due_interval(tx: Connection) -> bool:
    """Whether an interval has ended, or a schedule is missing or was changed; a read only."""
    return any(True for _ in _out_of_date(tx, database_now(tx)))


def enqueue_due(tx: Connection) -> int:
    """Queue the periodic work whose interval has ended. The row's update decides which node does it."""
    moment = database_now(tx)
    queued = 0
    for kind in list(_out_of_date(tx, moment)):
        _plan(tx, kind, moment + _interval(kind))
        # Counted from now, not from the planned moment: an hour of downtime is not made up for sixty times.
        moved = tx.execute(
            update(schedules)
            .where(schedules.c.name == kind.name, schedules.c.next_at <= moment)
            .values(next_at=moment + _interval(kind))
        )
        if moved.rowcount == 1:
            enqueue(tx, kind.name, key=f"periodic:{kind.name}")
            queued += 1
    return queued


def _out_of_date(tx: Connection, moment: datetime) -> Iterator[Kind]:
    """The kinds whose interval has ended, or whose schedule is missing or was changed."""
    known = {row.name: row for row in tx.execute(select(schedules))}
    for kind in periodic_kinds():
        row = known.get(kind.name)
        if row is None or row.every != kind.every or row.next_at <= moment:
            yield kind


def _plan(tx: Connection, kind: Kind, first: datetime) -> None:
    statement = upsert(tx.dialect.name, schedules).values(name=kind.name, every=kind.every, next_at=first)
    tx.execute(
        statement.on_conflict_do_update(
            index_elements=["name"],
            set_={"every": kind.every, "next_at": first},
            where=schedules.c.every != kind.every,
        )
    )


def _interval(kind: Kind) -> timedelta:
    return timedelta(seconds=kind.every or 0.0)
