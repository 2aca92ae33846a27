"""How long a statement of a request may run on SQLite; PostgreSQL has a setting of its own for this.

SQLite asks every few milliseconds whether to go on. Background work runs outside of any limit.
"""

import threading
import time
from collections.abc import Callable
from typing import TypeVar

# SQLite asks after so many of its instructions: a few milliseconds.
INSTRUCTIONS = 200_000

T = TypeVar("T")


class _Thread(threading.local):
    limit: "StatementLimit | None" = None


current = _Thread()


class StatementLimit:
    """The limit of the statements that one thread runs for one request."""

    __slots__ = ("is_ended", "seconds", "started")

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds  # 0 means no limit
        self.started = 0.0
        self.is_ended = False  # set by others to end the statement now

    def run(self, work: Callable[[], T]) -> T:
        """Do the work in this thread under the limit."""
        current.limit = self
        try:
            return work()
        finally:
            current.limit = None


def is_ended() -> bool:
    """Others want the work of this thread to end now."""
    limit = current.limit
    return limit is not None and limit.is_ended


def is_over() -> bool:
    """The statement that runs in this thread has to end."""
    limit = current.limit
    if limit is None:
        return False
    return limit.is_ended or (limit.seconds > 0 and time.monotonic() - limit.started > limit.seconds)
