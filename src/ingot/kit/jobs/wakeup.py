"""Wakes workers when work is queued, so that they need not wait for their next poll.

The workers of the same process are woken by an event, those of processes forked beside it by a pipe, and those of other
nodes by PostgreSQL. A worker that misses the signal still polls once in a while.
"""

import os
import select
import threading
from contextlib import suppress
from weakref import WeakSet

import sqlalchemy as sa
from sqlalchemy import Connection

from ingot.kit.db import after_commit

CHANNEL = "ingot_jobs"
_NOTIFY = sa.select(sa.func.pg_notify(CHANNEL, ""))

_bells: WeakSet[threading.Event] = WeakSet()
# At most one: its end for reading and its end for writing.
_pipes: list[tuple[int, int]] = []


def bell() -> threading.Event:
    """An event that is set whenever work was queued by this process."""
    event = threading.Event()
    _bells.add(event)
    return event


def share_with_forks() -> None:
    """From now on this process and those forked from it wake each other's workers."""
    _pipes[:] = [os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)]


def announce(tx: Connection) -> None:
    """Wake a worker once this transaction has committed."""
    if ring in tx.info.get("after_commit", ()):
        return
    after_commit(tx, ring)
    if tx.dialect.name == "postgresql" and not _bells and not _pipes:
        tx.execute(_NOTIFY)


def ring() -> None:
    """Wake the workers of this process, or else those of the processes beside it."""
    for event in list(_bells):
        event.set()
    if not _bells and _pipes:
        # A full pipe has woken them already.
        with suppress(BlockingIOError):
            os.write(_pipes[0][1], b".")


def wait_for_siblings(seconds: float) -> bool:
    """Wait until a process beside this one has queued work; False when none did, or there is none."""
    if not _pipes or not select.select([_pipes[0][0]], [], [], seconds)[0]:
        return False
    with suppress(BlockingIOError):
        os.read(_pipes[0][0], 65536)
    return True


def has_siblings() -> bool:
    """Whether other processes may wake this one."""
    return bool(_pipes)
