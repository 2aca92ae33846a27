"""What the operating system says where a disk is full, or a file system that other machines hold is out of reach."""

import errno
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
# Seconds in which a mount that lost one of its servers goes on with the other.
SWITCH = 0.2
_TRIES = 3

FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
# EBADFD: what a mount has open at a server that is gone, and not yet at the other one.
AWAY = frozenset(
    {errno.ENOTCONN, errno.ESTALE, errno.EIO, errno.ETIMEDOUT, errno.EHOSTDOWN, errno.EHOSTUNREACH, errno.EBADFD}
)
# The others are also said of hosts to which git connects.
_WORDS = (
    "Transport endpoint is not connected",
    "Stale file handle",
    "Input/output error",
    "File descriptor in bad state",
)


def says_away(text: str) -> bool:
    """Whether a program complains of a file system that is out of reach."""
    return any(words in text for words in _WORDS)


def is_away(fault: BaseException) -> bool:
    """Whether a file system is out of reach. libgit2 gives the words of the system without its number."""
    return isinstance(fault, OSError) and (fault.errno in AWAY or (fault.errno is None and says_away(str(fault))))


def tried_again(work: Callable[[], T]) -> T:
    """What the work gives, tried again where a file system is out of reach for a moment.

    Where one server of a mount came back and another one goes, the first look at a file that somebody has had open
    since before fails, and makes the mount open it at the server that is there.
    """
    for _ in range(_TRIES):
        try:
            return work()
        except OSError as fault:
            if fault.errno not in AWAY:
                raise
        time.sleep(SWITCH)
    return work()


def is_of_storage(fault: BaseException) -> bool:
    """Whether a file system was out of reach, said by itself or by who asked it."""
    return is_away(fault) or (fault.__cause__ is not None and is_away(fault.__cause__))
