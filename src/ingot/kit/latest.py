"""One thing that many requests ask for, as it was read last: limits, rules, the look of the pages.

It is given again while its version is the same. Where no version is known, or none covers it, it is as it was a moment
ago, so that a change is seen within a second by every process.
"""

import time
from collections.abc import Callable, Hashable
from contextvars import Context
from typing import Generic, NamedTuple, TypeVar

from ingot.kit.db import Database

T = TypeVar("T")
MOMENT = 0.5  # seconds


class _Known(NamedTuple, Generic[T]):
    value: T
    version: Hashable | None
    until: float


class Latest(Generic[T]):
    """What `read` gave of each database, which keeps it."""

    def __init__(self, read: Callable[[Database], T]) -> None:
        self._read = read

    def get(self, db: Database, version: Hashable | None = None) -> T:
        """As it is at this version, which was read before; read where it is not known."""
        kept: _Known[T] | None = db.latest.get(self)
        if kept is not None and version is not None and version == kept.version:  # what each request asks
            return kept.value
        known = self.known(db, version)
        if known is not None:
            return known
        # In a separate context: whether it had to be read must not show in the count of queries.
        value = Context().run(self._read, db)
        db.latest[self] = _Known(value, version, time.monotonic() + MOMENT)
        return value

    def known(self, db: Database, version: Hashable | None = None) -> T | None:
        """The same without reading: None where it would have to be read."""
        known: _Known[T] | None = db.latest.get(self)
        if known is None:
            return None
        holds = time.monotonic() < known.until if version is None else version == known.version
        return known.value if holds else None

    def forget(self, db: Database) -> None:
        """Read it anew."""
        db.latest.pop(self, None)
