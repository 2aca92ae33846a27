"""Processor time of a request: of this process, and of the processes of PostgreSQL that work for it.

By the wall, a busy machine would be measured and not the page.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from ingot.kit.db import Database

_BACKENDS = "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"


def processor_clock(db: Database) -> Callable[[], float]:
    """A clock that counts seconds of processor time for a database on this machine."""
    if db.is_sqlite:
        return time.process_time

    def read() -> float:
        with db.read() as conn:
            backends = [row[0] for row in conn.exec_driver_sql(_BACKENDS)]
        return time.process_time() + sum(_seconds_of(pid) for pid in backends)

    return read


def _seconds_of(pid: int) -> float:
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9
    except FileNotFoundError:
        return 0.0
