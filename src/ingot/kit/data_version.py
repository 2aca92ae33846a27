"""The version of the database: a value that differs once anybody, on any process or node, has committed a change.

What was read at a version holds while the version is the same. Read the version first and the data after it: a commit
in between then only makes the data newer than its version says.

Settled data (`kit.settled_data`) have a version of their own, which most writes leave as it is.
"""

import sqlite3
import threading
from collections.abc import Callable, Hashable
from typing import Any, Generic, NamedTuple, TypeVar

from sqlalchemy import Connection, String, Text, cast, func, literal_column, select

K = TypeVar("K")
V = TypeVar("V")

# Two snapshots that read alike see the same transactions: none was committed between them.
_SNAPSHOT = select(cast(func.pg_current_snapshot(), Text))
# Notes stay for a while, and two readers that see the same ones see the same settled data.
_NOTES = "(SELECT coalesce(string_agg(token, ' ' ORDER BY id), '') FROM settled_changes)"
_SNAPSHOT_AND_NOTES = select(
    cast(func.pg_current_snapshot(), Text).label("data"), literal_column(_NOTES, String()).label("settled")
)
_LAST_NOTE = "SELECT token FROM settled_changes"


class Versions(NamedTuple):
    """Of all data, and of settled data alone; None where one cannot be had."""

    data: Hashable | None
    settled: Hashable | None


UNKNOWN = Versions(None, None)


def snapshot_of(conn: Connection) -> str:
    """The version of a PostgreSQL database."""
    version: str = conn.execute(_SNAPSHOT).scalar_one()
    return version


def versions_of(conn: Connection) -> Versions:
    """Both versions of a PostgreSQL database, of one snapshot."""
    return Versions(*conn.execute(_SNAPSHOT_AND_NOTES).one())


class SqliteVersion:
    """The version of an SQLite database, in microseconds; nobody has to wait for it, so an event loop may ask."""

    def __init__(self, open_database: Callable[[], sqlite3.Connection], begin: Callable[[], object]) -> None:
        self._open_database = open_database
        self._begin = begin  # a statement
        self._lock = threading.Lock()
        # SQLite counts for each connection what others committed, so this one is used for nothing else.
        self._cursor: sqlite3.Cursor | None = None
        self._opened = 0
        self._versions = UNKNOWN  # that were read last

    def read(self) -> Hashable | None:
        """The version now; None where it cannot be had at once."""
        with self._lock:
            return self._read()

    def read_both(self) -> Versions:
        """The version, and that of settled data: a statement where the first has changed."""
        with self._lock:
            version = self._read()
            if version is None or version != self._versions.data:
                # After the version, as all data: what was written in between ends it at the next look.
                self._versions = UNKNOWN if version is None else Versions(version, self._last_note())
            return self._versions

    def _read(self) -> Hashable | None:
        rows = self._ask("PRAGMA data_version")
        # A connection that was opened anew counts anew.
        return None if rows is None else (self._opened, rows[0][0])

    def _last_note(self) -> Hashable | None:
        self._begin()
        rows = self._ask(_LAST_NOTE)
        return None if rows is None else tuple(rows)

    def _ask(self, text: str) -> list[tuple[Any, ...]] | None:
        try:
            if self._cursor is None:
                self._cursor = self._open_database().cursor()
                self._opened += 1
            # To the end: an open statement would hold on to the write-ahead log.
            return self._cursor.execute(text).fetchall()
        except sqlite3.Error:
            self._close()
            return None

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
