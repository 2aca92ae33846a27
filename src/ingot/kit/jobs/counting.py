"""The database's clock, and counts of what happened to jobs that outlive the jobs' own rows."""

from datetime import datetime

from sqlalchemy import ColumnElement, Connection, func, select

from ingot.kit.clock import now
from ingot.kit.jobs.tables import counters
from ingot.kit.upsert import upsert

TAKEOVER, RETRY, INTERRUPTED = "takeover", "retry", "interrupted"
# Not an event: how long the attempts took together. It is counted in the same table.
MILLISECONDS = "milliseconds"


def database_now(tx: Connection) -> datetime:
    """The time by the database's clock, so that nodes whose clocks differ agree on who is late."""
    if tx.dialect.name == "sqlite":
        return now()
    moment: datetime = tx.execute(select(func.clock_timestamp())).scalar_one()
    return moment


def sql_now(tx: Connection) -> datetime | ColumnElement[datetime]:
    """The same time for use inside a statement, which saves a query."""
    return now() if tx.dialect.name == "sqlite" else func.clock_timestamp()


def count(tx: Connection, kind: str, event: str, by: int = 1) -> None:
    """Add to the count of this event for this kind of work."""
    statement = upsert(tx.dialect.name, counters).values(kind=kind, event=event, number=by)
    tx.execute(
        statement.on_conflict_do_update(index_elements=["kind", "event"], set_={"number": counters.c.number + by})
    )
