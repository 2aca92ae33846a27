"""The version of the database: a value that differs once anybody, on any process or node, has committed a change.

What was read at a version holds while the version is the same. Read the version first and the data after it: a commit
in between then only makes the data newer than its version says.
"""

import sqlite3
import threading
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

from sqlalchemy import Connection, Text, cast, func, select

K = TypeVar("K")
V = TypeVar("V")

# Two snapshots that read alike see the same transactions: none was committed between them.
_SNAPSHOT = select(cast(func.pg_current_snapshot(), Text))


def snapshot_of(conn: Connection) -> str:
    """The version of a PostgreSQL database."""
    version: str = conn.execute(_SNAPSHOT).scalar_one()
    return version


class SqliteVersion:
    """The version of an SQLite database, in microseconds; nobody has to wait for it, so an event loop may ask."""

    def __init__(self, open_database: Callable[[], sqlite3.Connection]) -> None:
        self._open_database = open_database
        self._lock = threading.Lock()
        # SQLite counts for each connection what others committed, so this one is used for nothing else.
        self._cursor: sqlite3.Cursor | None = None
        self._opened = 0

    def read(self) -> Hashable | None:
        """The version now; None where it cannot be had at once."""
        with self._lock:
            try:
                if self._cursor is None:
                    self._cursor = self._open_database().cursor()
                    self._opened += 1
                # To the end: an open statement would hold on to the write-ahead log.
                rows: list[tuple[Any, ...]] = self._cursor.execute("PRAGMA data_version").fetchall()
            except sqlite3.Error:
                self._close()
                return None
            # A connection that was opened anew counts anew.
            return self._opened, rows[0][0]

    def close(self) -> None:
        """Close the database."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        cursor, self._cursor = self._cursor, None
        if cursor is not None:
            cursor.connection.close()


class Versioned(Generic[K, V]):
    """What was read at one version of the database. Another version empties it."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._version: Hashable | None = None
        self._values: dict[K, V] = {}
        self._size = 0

    def get(self, version: Hashable | None, key: K) -> V | None:
        """The value, if it was read at this version."""
        with self._lock:
            return self._values.get(key) if version is not None and version == self._version else None

    def put(self, version: Hashable | None, key: K, value: V, size: int = 1) -> None:
        """Keep what was read after this version was."""
        if version is None or size > self._most:
            return
        with self._lock:
            if version != self._version or self._size + size > self._most:
                self._values.clear()
                self._version, self._size = version, 0
            self._values[key] = value
            self._size += size

    def forget(self) -> None:
        """Drop everything."""
        with self._lock:
            self._values.clear()
            self._version, self._size = None, 0
