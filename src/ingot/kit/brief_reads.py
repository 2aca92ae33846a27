"""Brief reads run on the event loop itself: the change of threads costs more than their work.

Only where reading waits for nobody, which is on SQLite. Whatever would hold up the loop after all starts again in a
thread: a write, which waits for its turn (the last use of a token is noted now and then), and a statement that takes
longer than it should.
"""

import threading
from collections.abc import Callable
from typing import TypeVar

from sqlalchemy.exc import DBAPIError

from ingot.kit.statement_limit import StatementLimit

LONGEST = 0.02  # seconds of one statement

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
