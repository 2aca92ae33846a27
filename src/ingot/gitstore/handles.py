"""A pool of libgit2 handles: opening one costs more than most requests.

A handle belongs to one `Repository` value while that exists, and returns to the pool afterwards. It is not used
again once the repository was replaced or its packs changed, nor after a few seconds.
"""

from __future__ import annotations

import os
import threading
import time
from collections import OrderedDict, deque
from typing import NamedTuple

import pygit2
from pygit2.enums import RepositoryOpenFlag

from ingot.gitstore.errors import RepositoryNotFound, StorageAway

MOST = 16
SECONDS = 2.0

State = tuple[int, int, int]


class Handle(NamedTuple):
    """An open repository as it was when it was opened."""

    path: str
    state: State
    until: float
    git: pygit2.Repository


_waiting: OrderedDict[int, Handle] = OrderedDict()
_returned: deque[Handle] = deque()
_lock = threading.Lock()


def take(path: str) -> Handle:
    """A pooled handle, or a new one. RepositoryNotFound where there is no repository."""
    state, now = _state(path), time.monotonic()
    with _lock:
        _sort(now)
        for key, handle in _waiting.items():
            if handle.path == path and handle.state == state:
                return _waiting.pop(key)
    try:
        opened = pygit2.Repository(path, RepositoryOpenFlag.NO_SEARCH)
    except pygit2.GitError as error:
        raise RepositoryNotFound from error
    return Handle(path, state, now + SECONDS, opened)


def give_back(handle: Handle) -> None:
    """Return a handle to the pool. Takes no lock: values may be garbage-collected at any time, also inside `take`."""
    _returned.append(handle)


def forget(path: str) -> None:
    """Close the handles of a deleted repository."""
    with _lock:
        _sort(time.monotonic())
        for key in [key for key, handle in _waiting.items() if handle.path == path]:
            del _waiting[key]


def _sort(now: float) -> None:
    """Keep returned handles, and close old or surplus ones."""
    while _returned:
        handle = _returned.popleft()
        _waiting[id(handle)] = handle
    for key in [key for key, handle in _waiting.items() if handle.until <= now]:
        del _waiting[key]
    while len(_waiting) > MOST:
        _waiting.popitem(last=False)


def _state(path: str) -> State:
    try:
        folder = os.stat(path)  # noqa: PTH116 - asked for often, and half the cost of a Path's
    except (FileNotFoundError, NotADirectoryError) as error:
        raise RepositoryNotFound from error
    except OSError as error:
        # Not missing: whoever took it for that would close what belongs to its branches.
        raise StorageAway from error
    try:
        packs = os.stat(f"{path}/objects/pack")  # noqa: PTH116
    except OSError:
        return folder.st_ino, 0, 0
    return folder.st_ino, packs.st_ino, packs.st_mtime_ns
