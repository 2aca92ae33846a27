"""One moment of the embedded database: writers wait while files are brought up to date, then the snapshot is copied."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

WAIT_SECONDS = 60.0


class Damaged(Exception):
    """The database copy does not pass its own check."""


@contextmanager
def writers_waiting(database: Path) -> Iterator[sqlite3.Connection]:
    """Hold back every writer of every process for the length of the block, and pin this state for the connection given.

    The connection goes on seeing the pinned state after the block, until it is closed by the caller.
    """
    guard = _open(database)
    pinned = _open(database)
    try:
        guard.execute("BEGIN IMMEDIATE")
        # A read transaction begins with its first read.
        pinned.execute("BEGIN")
        pinned.execute("SELECT count(*) FROM sqlite_master").fetchone()
        yield pinned
    except BaseException:
        pinned.close()
        raise
    finally:
        guard.close()


def copy_pinned(pinned: sqlite3.Connection, target: Path) -> None:
    """Write the pinned state to a file of its own and check it."""
    copy = sqlite3.connect(target, isolation_level=None)
    try:
        pinned.backup(copy)
        check(copy)
    finally:
        copy.close()
        pinned.close()


def check(connection: sqlite3.Connection) -> None:
    """Raise unless the database passes SQLite's own check."""
    [(answer,)] = connection.execute("PRAGMA quick_check(1)").fetchall()
    if answer != "ok":
        raise Damaged(f"The database copy is damaged: {answer}")


def check_file(path: Path) -> None:
    """As `check`, for a file."""
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        check(connection)
    except sqlite3.DatabaseError as error:
        raise Damaged(f"The database copy is damaged: {error}") from error
    finally:
        connection.close()


def _open(database: Path) -> sqlite3.Connection:
    return sqlite3.connect(database, timeout=WAIT_SECONDS, isolation_level=None, check_same_thread=False)
