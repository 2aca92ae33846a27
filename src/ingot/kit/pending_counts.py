"""Counting what happens often, without a write for each: a process writes its counts together, seconds later.

One that is stopped writes them first. One that is killed loses those of its last seconds.
"""

import logging
import threading
from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from typing import Generic, TypeVar

from sqlalchemy.exc import SQLAlchemyError

WRITE_AFTER = 5.0  # seconds

K = TypeVar("K", bound=Hashable)
log = logging.getLogger("ingot.database")


class PendingCounts(Generic[K]):
    """What one process has counted and not yet written; `record` adds to what the database has of each key."""

    def __init__(self, record: Callable[[Mapping[K, int]], None], seconds: float = WRITE_AFTER) -> None:
        self._record, self._seconds = record, seconds
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._counts: Counter[K] = Counter()
        self._timer: threading.Timer | None = None

    def add(self, key: K) -> None:
        """Count one more; waits for nobody."""
        with self._lock:
            self._counts[key] += 1
            self._write_later()

    def write(self) -> None:
        """Write what was counted so far. Whoever reads the database afterwards sees it."""
        with self._writing:
            counts = self._take()
            if not counts:
                return
            try:
                self._record(counts)
            except BaseException as error:
                with self._lock:
                    self._counts.update(counts)
                    self._write_later()
                if not isinstance(error, SQLAlchemyError):
                    raise
                log.warning("counts could not be written and are tried again: %s", type(error).__name__)

    def forget(self) -> None:
        """Drop what was not written: the rows that it is about are gone."""
        self._take()

    def _take(self) -> Counter[K]:
        with self._lock:
            counts, self._counts = self._counts, Counter()
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
        return counts

    def _write_later(self) -> None:
        if self._timer is None:
            self._timer = threading.Timer(self._seconds, self.write)
            self._timer.name, self._timer.daemon = "write-counts", True
            self._timer.start()
