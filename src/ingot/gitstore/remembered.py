"""A cache of git's answers about commits named by id, which never change, and which are asked for once at a time.

Only for answers that depend on nothing but the ids in the question. Refs move; resolve them first.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING

from ingot.gitstore.shared_work import shared

if TYPE_CHECKING:
    from ingot.gitstore.repository import Repository

LARGEST = 64 * 1024
MOST_BYTES = 4 * 1024 * 1024  # of questions and answers
ENTRY = 512  # bytes that any entry takes besides

Key = tuple[str, ...]

_answers: OrderedDict[Key, bytes] = OrderedDict()
_size = 0
_lock = threading.Lock()


def remembered(repo: Repository, question: tuple[str, ...], ask: Callable[[], bytes], largest: int = LARGEST) -> bytes:
    """The answer to a question about fixed commits of a repository; it is kept unless it is larger than `largest`."""
    key = (str(repo.path), *question)
    with _lock:
        if (known := _answers.get(key)) is not None:
            _answers.move_to_end(key)
            return known
    return shared(key, lambda: _answer(key, ask, largest))


def _answer(key: Key, ask: Callable[[], bytes], largest: int) -> bytes:
    global _size  # noqa: PLW0603 - one memory for the process, like the disk below it
    answer = ask()
    if len(answer) <= largest:
        with _lock:
            if (known := _answers.pop(key, None)) is not None:
                _size -= _weight(key, known)
            _answers[key] = answer
            _size += _weight(key, answer)
            while _size > MOST_BYTES:
                _size -= _weight(*_answers.popitem(last=False))
    return answer


def _weight(key: Key, answer: bytes) -> int:
    """Visitors choose the words of questions, most of which have short answers: both count."""
    return ENTRY + sum(map(len, key)) + len(answer)
