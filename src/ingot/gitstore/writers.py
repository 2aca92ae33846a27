"""Who moves refs of a repository, known to whoever wants to close it, in every process on every node.

Two lock files lie inside the repository and go where it goes. A writer passes the entrance and holds the other file,
shared, while refs move. Git inherits a push's hold, so that it lasts until that git has ended, even if the service dies
before. Whoever closes the repository takes the entrance first, so that newcomers wait outside, and then waits for those
inside.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ingot.gitstore.errors import NoSpace, RepositoryMoved, RepositoryNotFound, StorageAway
from ingot.gitstore.locks import is_current, wait_for
from ingot.kit.os_faults import AWAY, FULL, tried_again

ENTRANCE, INSIDE = "ingot-entrance", "ingot-writers"
SEAL = "ingot-moved"
SECONDS = 30.0
CLOSING_SECONDS = 20.0
"""Less than writers wait: nobody is refused for a closing that did not come about."""


class Writer:
    """One who is about to move refs. `descriptor` is for git to inherit; it holds nothing before `enter`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.descriptor = _open(path, INSIDE)

    def enter(self, seconds: float = SECONDS) -> None:
        """Nobody closes the repository until this writer, and whoever inherited it, has ended. RepositoryMoved where
        the repository is not, or no longer, the one to write to."""
        deadline = time.monotonic() + seconds
        try:
            entrance = _open(self._path, ENTRANCE)
        except RepositoryNotFound:
            raise RepositoryMoved from None
        try:
            wait_for(entrance, deadline, fcntl.LOCK_SH)
            wait_for(self.descriptor, deadline, fcntl.LOCK_SH)
        finally:
            os.close(entrance)
        if not is_current(self.descriptor, self._path / INSIDE) or is_sealed(self._path):
            raise RepositoryMoved

    def close(self) -> None:
        """What git inherited stays."""
        os.close(self.descriptor)


@contextmanager
def writing(path: Path, seconds: float = SECONDS) -> Iterator[None]:
    """Refs move inside the block. Not re-entrant: whoever closes in between would wait for both."""
    writer = Writer(path)
    try:
        writer.enter(seconds)
        yield
    finally:
        writer.close()


@contextmanager
def closed(path: Path, seconds: float = CLOSING_SECONDS) -> Iterator[None]:
    """No ref moves inside the block. LockTimeout where a writer does not end."""
    deadline = time.monotonic() + seconds
    entrance = _open(path, ENTRANCE)
    try:
        wait_for(entrance, deadline)
        inside = _open(path, INSIDE)
        try:
            wait_for(inside, deadline)
            if not is_current(inside, path / INSIDE):
                raise RepositoryMoved
            yield
        finally:
            os.close(inside)
    finally:
        os.close(entrance)


def seal(path: Path) -> None:
    """Refuse all writers from now on, whatever happens to this process; inside `closed`."""
    (path / SEAL).touch()


def unseal(path: Path) -> None:
    """Let writers in again; inside `closed`."""
    (path / SEAL).unlink(missing_ok=True)


def is_sealed(path: Path) -> bool:
    return tried_again((path / SEAL).exists)


def _open(path: Path, name: str) -> int:
    try:
        return tried_again(lambda: os.open(path / name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    except (FileNotFoundError, NotADirectoryError):
        raise RepositoryNotFound from None
    except OSError as error:
        if error.errno in FULL:
            raise NoSpace from error
        if error.errno in AWAY:
            raise StorageAway from error
        raise
