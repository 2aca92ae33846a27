"""Counting requests in windows of time, in the database, so that all nodes count together."""

import time

import msgspec
from sqlalchemy import BigInteger, Column, Connection, Integer, String, Table, delete, select

from ingot.kit.db import Database, metadata
from ingot.kit.jobs import Run, periodic
from ingot.kit.upsert import upsert

rate_windows = Table(
    "rate_windows",
    metadata,
    Column("key", String(200), primary_key=True),
    Column("starts_at", BigInteger, primary_key=True),
    Column("period", Integer, nullable=False),
    Column("observed", BigInteger, nullable=False),
)


class Window(msgspec.Struct, frozen=True):
    """How often something happened in the running window, and when the next one begins (Unix time)."""

    observed: int
    resets_at: int


def hit(db: Database, key: str, period: int) -> Window:
    """Count one more in the window of `period` seconds that runs now."""
    starts_at = int(time.time()) // period * period
    with db.write() as tx:
        statement = upsert(tx.dialect.name, rate_windows).values(
            key=key, starts_at=starts_at, period=period, observed=1
        )
        observed = tx.execute(
            statement.on_conflict_do_update(
                index_elements=["key", "starts_at"], set_={"observed": rate_windows.c.observed + 1}
            ).returning(rate_windows.c.observed)
        ).scalar_one()
    return Window(observed, starts_at + period)


def observed(conn: Connection, key: str, period: int) -> int:
    """How often it was counted in the window of `period` seconds that runs now."""
    mine = (rate_windows.c.key == key) & (rate_windows.c.starts_at == int(time.time()) // period * period)
    return int(conn.execute(select(rate_windows.c.observed).where(mine)).scalar_one_or_none() or 0)


@periodic("rate_window_sweep", every=600.0)
def delete_past_windows(run: Run) -> None:
    """Delete the windows that have ended."""
    with run.db.write() as tx:
        tx.execute(delete(rate_windows).where(rate_windows.c.starts_at + rate_windows.c.period < int(time.time())))
