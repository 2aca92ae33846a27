"""Work of git that several ask for at a time: done once for all of them, and beside those who wait only for a moment.

A request of the API waits for the result. A page asks inside `briefly`: what is not done after a moment goes on beside
it, `NotYet` is raised, and whoever asks next gets the result or the error; faults that pass are soon forgotten. A
caller has few such works beside its requests. For others it waits in its turn, so that one who asks for much holds up
only himself (`kit.lanes`).
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any, TypeVar

from ingot.gitstore.errors import GitError, NotYet, Overloaded, PassingFault
from ingot.gitstore.process import GLANCE
from ingot.kit.brief_reads import require_thread
from ingot.kit.calling_off import end_if_called_off
from ingot.kit.statement_limit import is_ended

PATIENCE = 0.4  # seconds
MOST_BESIDE = 8  # works
MOST_OF_CALLER = 2  # of them
MOST_UNCLAIMED = 4  # results that nobody has asked for yet
FAULT_HOLDS = 10.0  # seconds: a page that renews itself meets it, somebody who comes later does not

T = TypeVar("T")


class _Work:
    """Work under way, or its unclaimed result."""

    def __init__(self) -> None:
        self.caller: str | None = None  # for whom it goes on beside the requests
        self.is_over = threading.Event()
        self.result: Any = None  # Any: works of every kind
        self.error: BaseException | None = None
        self.ended_at = 0.0  # by `monotonic`

    @property
    def is_past(self) -> bool:
        """It met a fault that need not be there any more."""
        has_failed = self.is_over.is_set() and isinstance(self.error, PassingFault)
        return has_failed and monotonic() > self.ended_at + FAULT_HOLDS


class _Thread(threading.local):
    deadline: float | None = None
    caller = ""


_current = _Thread()
_works: OrderedDict[Hashable, _Work] = OrderedDict()
_lock = threading.Lock()


@contextmanager
def briefly(caller: str, patience: float = PATIENCE) -> Iterator[None]:
    """Work inside, in this thread and for this caller, is waited for so many seconds at most; then `NotYet`."""
    _current.deadline, _current.caller = monotonic() + patience, caller
    try:
        yield
    finally:
        _current.deadline = None


def shared(key: Hashable, work: Callable[[], T]) -> T:
    """The result of the work; whoever asks with the same key while it is under way gets the same."""
    require_thread()
    while True:
        with _lock:
            current = _works.get(key)
            is_new = current is None or current.is_past
            if current is None or is_new:
                current = _works[key] = _Work()
                if _current.deadline is not None and _has_room(_current.caller):
                    current.caller = _current.caller
        if is_new and current.caller is None:
            _do(key, current, work)
        elif is_new:
            _start(key, current, work)
        if not is_new or current.caller is not None:
            _wait(current)
        _claim(key, current)
        if current.error is None:
            result: T = current.result
            return result
        if not is_new and (isinstance(current.error, Overloaded) or not isinstance(current.error, GitError)):
            continue  # another request was ended, not this one
        raise current.error


def _has_room(caller: str) -> bool:
    beside = [work.caller for work in _works.values() if work.caller is not None and not work.is_over.is_set()]
    return len(beside) < MOST_BESIDE and beside.count(caller) < MOST_OF_CALLER


def _start(key: Hashable, current: _Work, work: Callable[[], object]) -> None:
    try:
        threading.Thread(target=_do, args=(key, current, work), name="git-beside", daemon=True).start()
    except RuntimeError:  # no thread can be begun
        current.caller = None
        _do(key, current, work)


def _do(key: Hashable, current: _Work, work: Callable[[], object]) -> None:
    try:
        current.result = work()
    except BaseException as error:  # noqa: BLE001 - raised again for all who wait
        current.error = error
    with _lock:
        current.ended_at = monotonic()
        current.is_over.set()
        if current.caller is None:
            _works.pop(key, None)
        unclaimed = [other for other, work in _works.items() if work.is_over.is_set()]
        for other in unclaimed[:-MOST_UNCLAIMED]:
            del _works[other]


def _wait(current: _Work) -> None:
    """Wait for work that another thread does."""
    deadline = _current.deadline
    while not current.is_over.wait(GLANCE if deadline is None else max(min(GLANCE, deadline - monotonic()), 0)):
        if is_ended():
            raise Overloaded
        end_if_called_off()
        if deadline is not None and monotonic() >= deadline:
            raise NotYet


def _claim(key: Hashable, current: _Work) -> None:
    with _lock:
        if _works.get(key) is current:
            del _works[key]
