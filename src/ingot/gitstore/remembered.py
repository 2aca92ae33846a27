"""A cache of git's answers about commits named by id, which never change.

Only for answers that depend on nothing but the ids in the question. Refs move; resolve them first.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ingot.gitstore.repository import Repository

LARGEST = 64 * 1024
MOST_BYTES = 8 * 1024 * 1024

_answers: OrderedDict[tuple[str, ...], bytes] = OrderedDict()
_size = 0
_lock = threading.Lock()


def remembered(repo: Repository, question: tuple[str, ...], ask: Callable[[], bytes]) -> bytes:
    """The answer to a question about fixed commits of a repository."""
    global _size  # noqa: PLW0603 - one memory for the process, like the disk below it
    key = (str(repo.path), *question)
    with _lock:
        if (known := _answers.get(key)) is not None:
            _answers.move_to_end(key)
            return known
    answer = ask()
    if len(answer) <= LARGEST:
        with _lock:
            _size += len(answer) - len(_answers.pop(key, b""))
            _answers[key] = answer
            while _size > MOST_BYTES:
                _size -= len(_answers.popitem(last=False)[1])
    return answer
