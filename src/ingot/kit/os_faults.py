"""What the operating system says where a disk is full, or a file system that other machines hold is out of reach."""

import errno

FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
AWAY = frozenset({errno.ENOTCONN, errno.ESTALE, errno.EIO, errno.ETIMEDOUT, errno.EHOSTDOWN, errno.EHOSTUNREACH})
# The others are also said of hosts to which git connects.
_WORDS = ("Transport endpoint is not connected", "Stale file handle", "Input/output error")


def says_away(text: str) -> bool:
    """Whether a program complains of a file system that is out of reach."""
    return any(words in text for words in _WORDS)
