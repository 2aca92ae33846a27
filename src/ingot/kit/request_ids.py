"""Request ids: 26-character ULIDs, sortable by time and unique per request."""

import os
import time

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
# Two letters at once halves the steps; every request pays for this.
_PAIRS = tuple(first + second for first in _ALPHABET for second in _ALPHABET)


def fresh() -> str:
    """A new id."""
    number = (int(time.time() * 1000) << 80) | int.from_bytes(os.urandom(10))
    return "".join([_PAIRS[(number >> shift) & 1023] for shift in range(120, -1, -10)])
