"""Workers that have given no sign of life for long, without anybody waiting for it.

Their leases can then be long enough for a machine that pauses everything for seconds.
"""

import os
import signal
import sqlite3
from datetime import timedelta

from sqlalchemy import text, update

from ingot.kit.db import Database
from ingot.kit.jobs.counting import database_now
from ingot.kit.jobs.tables import workers
from tests.support.waiting import until


def be_silent_for_long(db: Database, pid: int) -> None:
    """The last sign of life of the workers of this process, which was killed or paused, is a day old."""
    with db.write() as tx:
        long_ago = database_now(tx) - timedelta(days=1)
        tx.execute(update(workers).where(workers.c.pid == pid).values(beat_at=long_ago))


def pause_for_long(db: Database, group: int) -> None:
    """Stop a worker process that leads a group of its own, and all that it started, between two transactions."""

    def stops_between_transactions() -> bool:
        os.killpg(group, signal.SIGSTOP)
        if not _is_in_use(db):
            return True
        os.killpg(group, signal.SIGCONT)
        return False

    until(stops_between_transactions)
    be_silent_for_long(db, group)


def _is_in_use(db: Database) -> bool:
    """Whether somebody else is inside a transaction that could hold up others."""
    if db.is_sqlite:
        guard = sqlite3.connect(str(db.writer.url.database), timeout=0.3, isolation_level=None)
        try:
            guard.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return True
        finally:
            guard.close()
        return False
    busy = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND xact_start IS NOT NULL"
    with db.read() as conn:
        return int(conn.execute(text(busy)).scalar_one()) > 1
