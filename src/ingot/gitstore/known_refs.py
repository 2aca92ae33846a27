"""What git services say of a repository's refs, given again as long as no ref has moved.

Its folders are looked at each time, so whoever asks after a push was acknowledged, by whichever process or node, gets
the refs of that push or newer ones.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from time import monotonic
from typing import Any, TypeVar

from ingot.gitstore.refs_state import SETTLED_SECONDS, AllRefsState
from ingot.gitstore.repository import Repository
from ingot.gitstore.shared_work import shared

MOST_BYTES = 8 << 20
LARGEST = 4 << 20
"""Bytes of an answer that is kept."""
LONGEST = 60.0
"""Seconds, for what shows in no folder: a ref that was edited by hand, an object that was brought back."""
_ENTRY = 512  # bytes that an answer takes besides, and a folder


A = TypeVar("A", bound=bytes | None)


class _Known:
    """The answers about one repository in one state."""

    def __init__(self, path: str) -> None:
        self.state = AllRefsState(path)
        self.seen_at = monotonic()
        self.answers: dict[bytes, Any] = {}  # Any: of the type that the question has made
        self.size = _ENTRY * self.state.number

    def holds(self, now: float) -> bool:
        return now - self.seen_at < LONGEST and self.state.is_unchanged()


_known: OrderedDict[str, _Known] = OrderedDict()
_size = 0
_lock = threading.Lock()


def known_answer(repo: Repository, question: bytes, make: Callable[[], A]) -> A:
    """The answer to a question about the refs; made again where one has moved. None is not kept."""
    path, now = str(repo.path), monotonic()
    try:
        known = _known.get(path)
        if known is None or not known.holds(now):
            known = _Known(path)
            _replace(path, known)
    except OSError:
        return make()  # which says what is wrong with the storage
    if question in known.answers:
        with _lock:
            if path in _known:
                _known.move_to_end(path)
        given_again: A = known.answers[question]
        return given_again
    if not known.state.is_known or now - known.seen_at < SETTLED_SECONDS:
        return make()
    answer = shared((known, question), make)
    if answer is not None and len(answer) <= LARGEST:
        _keep(path, known, question, answer)
    return answer


def fits(repo: Repository) -> bool:
    """Whether answers are small enough to be kept, judged by the file that has most refs where they are many."""
    try:
        return (repo.path / "packed-refs").stat().st_size <= LARGEST
    except FileNotFoundError:
        return True


def _replace(path: str, known: _Known) -> None:
    global _size  # noqa: PLW0603 - one memory for the process, like the disk below it
    with _lock:
        if (former := _known.pop(path, None)) is not None:
            _size -= former.size
        if known.state.is_known:
            _known[path] = known
            _size += known.size
            _make_room()


def _keep(path: str, known: _Known, question: bytes, answer: bytes) -> None:
    global _size
    with _lock:
        if _known.get(path) is not known or question in known.answers:
            return
        known.answers[question] = answer
        weight = _ENTRY + len(question) + len(answer)
        known.size, _size = known.size + weight, _size + weight
        _known.move_to_end(path)
        _make_room()


def _make_room() -> None:
    """Forget the repositories that were asked about longest ago; the caller holds the lock."""
    global _size  # noqa: PLW0603
    while _size > MOST_BYTES:
        _, forgotten = _known.popitem(last=False)
        _size -= forgotten.size
