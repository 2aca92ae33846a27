"""Processor time of a request: of this process, and of the processes of PostgreSQL that work for it.

By the wall, a busy machine would be measured and not the page.
"""

from __future__ import annotations

import time
from pathlib import Path

from ingot.kit.db import Database

_BACKENDS = "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"


class ProcessorClock:
    """Measures one call at a time over a database on this machine."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._backends: list[int] = []
        self._started = 0.0

    def start(self) -> None:
        """The call begins. Connections stay open between calls, so those of before are those that it uses."""
        if not self._db.is_sqlite:
            with self._db.read() as conn:
                self._backends = [row[0] for row in conn.exec_driver_sql(_BACKENDS)]
        self._started = self._read()

    def elapsed(self) -> float:
        """Seconds of the processor since the start."""
        return self._read() - self._started

    def _read(self) -> float:
        return time.process_time() + sum(map(_seconds_of, self._backends))


def _seconds_of(pid: int) -> float:
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9
    except FileNotFoundError:
        return 0.0
