"""Work that somebody may call off while it waits for another process.

Such work looks here each moment. What it raises then is for the one who gave the work to this thread to catch.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class _Thread(threading.local):
    check: Callable[[], None] | None = None


_current = _Thread()


@contextmanager
def may_be_called_off(check: Callable[[], None]) -> Iterator[None]:
    """Work inside, in this thread, ends where `check` raises."""
    before, _current.check = _current.check, check
    try:
        yield
    finally:
        _current.check = before


def end_if_called_off() -> None:
    """Raise if the work of this thread was called off."""
    if _current.check is not None:
        _current.check()
