"""One lock per repository that holds across threads, processes and nodes.

It is `flock` on a file beside the repository. Linux turns flock into byte-range locks on NFS (v4, or v3 with lockd), so
nodes that mount one storage exclude each other; mount without `nolock` and without `local_lock=flock`.
"""

from __future__ import annotations

import fcntl
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ingot.gitstore.errors import LockTimeout
from ingot.kit.os_faults import tried_again

_guard = threading.Lock()
_inside: dict[str, tuple[threading.Lock, int]] = {}


@contextmanager
def lock(path: Path, seconds: float = 30.0) -> Iterator[None]:
    """Hold the lock file at `path`; raises LockTimeout after `seconds`. Not re-entrant."""
    deadline = time.monotonic() + seconds
    with _thread_turn(str(path), seconds):
        descriptor = _acquire(path, deadline)
        try:
            yield
        finally:
            os.close(descriptor)


@contextmanager
def _thread_turn(key: str, seconds: float) -> Iterator[None]:
    """Threads of this process queue here first, so that only one of them polls the file."""
    with _guard:
        turn, waiting = _inside.get(key, (threading.Lock(), 0))
        _inside[key] = (turn, waiting + 1)
    try:
        if not turn.acquire(timeout=seconds):
            raise LockTimeout
        try:
            yield
        finally:
            turn.release()
    finally:
        with _guard:
            turn, waiting = _inside[key]
            if waiting == 1:
                del _inside[key]
            else:
                _inside[key] = (turn, waiting - 1)


def _acquire(path: Path, deadline: float) -> int:
    while True:
        descriptor = tried_again(lambda: os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        try:
            wait_for(descriptor, deadline)
            # The repository and its lock file may have been deleted while waiting.
            if is_current(descriptor, path):
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def wait_for(descriptor: int, deadline: float, mode: int = fcntl.LOCK_EX) -> None:
    """Lock an open file, exclusively or shared; raises LockTimeout once it is later than `deadline` (monotonic)."""
    pause = 0.0005
    while not _try(descriptor, mode):
        if time.monotonic() >= deadline:
            raise LockTimeout
        time.sleep(pause)
        pause = min(pause * 1.5, 0.02)


def _try(descriptor: int, mode: int) -> bool:
    try:
        tried_again(lambda: fcntl.flock(descriptor, mode | fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    return True


def is_current(descriptor: int, path: Path) -> bool:
    """The open file is still the one at this path."""
    try:
        return tried_again(lambda: os.path.samestat(os.fstat(descriptor), path.stat()))
    except FileNotFoundError:
        return False
