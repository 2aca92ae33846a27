"""Counting requests in windows of time, in the database, so that all nodes count together.

Each one is written down here; what every request does is counted by `kit.rate_counts`.
"""

import time
from functools import lru_cache
from typing import Any

from sqlalchemy import (
    BigInteger,
    BindParameter,
    Column,
    Connection,
    Executable,
    Integer,
    String,
    Table,
    bindparam,
    delete,
    select,
)

from ingot.kit.db import Database, metadata
from ingot.kit.jobs import Run, periodic
from ingot.kit.rate_counts import Window, beginning
from ingot.kit.upsert import upsert

rate_windows = Table(
    "rate_windows",
    metadata,
    Column("key", String(200), primary_key=True),
    Column("starts_at", BigInteger, primary_key=True),
    Column("period", Integer, nullable=False),
    Column("observed", BigInteger, nullable=False),
)


def hit(db: Database, key: str, period: int) -> Window:
    """Count one more in the window of `period` seconds that runs now."""
    starts_at = beginning(period)
    return Window(add(db, key, starts_at, period, 1), starts_at + period)


@lru_cache
def _adding(dialect: str) -> Executable:
    values: dict[str, BindParameter[Any]] = {column.name: bindparam(f"new_{column.name}") for column in rate_windows.c}
    observed = rate_windows.c.observed + values["observed"]
    statement = upsert(dialect, rate_windows).values(values)
    return statement.on_conflict_do_update(index_elements=["key", "starts_at"], set_={"observed": observed}).returning(
        rate_windows.c.observed
    )


def add(db: Database, key: str, starts_at: int, period: int, number: int) -> int:
    """Count so many more; returns how many there are."""
    values = {"new_key": key, "new_starts_at": starts_at, "new_period": period, "new_observed": number}
    with db.write() as tx:
        return int(tx.execute(_adding(tx.dialect.name), values).scalar_one())


def observed(conn: Connection, key: str, period: int) -> int:
    """How often it was counted in the window of `period` seconds that runs now."""
    mine = (rate_windows.c.key == key) & (rate_windows.c.starts_at == beginning(period))
    return int(conn.execute(select(rate_windows.c.observed).where(mine)).scalar_one_or_none() or 0)


@periodic("rate_window_sweep", every=600.0)
def delete_past_windows(run: Run) -> None:
    """Delete the windows that have ended."""
    with run.db.write() as tx:
        tx.execute(delete(rate_windows).where(rate_windows.c.starts_at + rate_windows.c.period < int(time.time())))
