"""Request ids: 26-character ULIDs, sortable by time and unique per request."""

import os
import time
from functools import lru_cache

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_PAIRS = tuple(first + second for first in _ALPHABET for second in _ALPHABET)
# A letter for each byte: 16 random bytes are 16 random letters.
_LETTERS = bytes(ord(_ALPHABET[byte % 32]) for byte in range(256))


def fresh() -> str:
    """A new id."""
    moment = int(time.time() * 1000)
    return f"{_second(moment >> 10)}{_PAIRS[moment & 1023]}{os.urandom(16).translate(_LETTERS).decode('ascii')}"


@lru_cache(maxsize=1)
def _second(number: int) -> str:
    """The first eight letters, which are the same for about a second."""
    return "".join([_PAIRS[(number >> shift) & 1023] for shift in (30, 20, 10, 0)])
