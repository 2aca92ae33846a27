"""Brief reads run on the event loop itself: the change of threads costs more than their work.

Some endpoints are always brief. Others are by experience, such as a list that took little the last time; they have a
bounded part of the loop's time, because threads share out their turns among callers and the loop does not.

Only where reading waits for nobody, which is on SQLite. Whatever would hold up the loop after all starts again in a
thread: a write, which waits for its turn (the last use of a token is noted now and then), and a statement that takes
longer than it should.
"""

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from sqlalchemy.exc import DBAPIError

from ingot.kit.statement_limit import StatementLimit

LONGEST = 0.02  # seconds of one statement
# Of the loop's time for what is brief by experience: seconds at once, and the part of the time in the long run.
AT_ONCE = 0.01
PART = 0.5

T = TypeVar("T")
_thread = threading.local()


# Not an `Exception`: nobody in between may take it for a fault.
class NeedsThread(BaseException):
    """The work has to wait and cannot run on the event loop."""


def run_briefly(work: Callable[[], T]) -> T | None:
    """The result of reading work, or None where it needs a thread."""
    _thread.is_brief = True
    try:
        return StatementLimit(LONGEST).run(work)
    except (NeedsThread, DBAPIError):
        return None
    finally:
        _thread.is_brief = False


def require_thread() -> None:
    """Raise when this is the event loop: what follows may wait."""
    if getattr(_thread, "is_brief", False):
        raise NeedsThread


class LoopTime:
    """The part of an event loop's time for what is brief by experience."""

    def __init__(self) -> None:
        self._left = AT_ONCE
        self._seen = time.monotonic()

    def is_left(self) -> bool:
        """Whether more may run now."""
        now = time.monotonic()
        self._left = min(AT_ONCE, self._left + (now - self._seen) * PART)
        self._seen = now
        return self._left > 0

    def spend(self, seconds: float) -> None:
        """So much of it was taken."""
        self._left -= seconds
