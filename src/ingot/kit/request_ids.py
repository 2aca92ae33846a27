"""Request ids: 26-character ULIDs, sortable by time and unique per request."""

import os
import time

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def fresh() -> str:
    """A new id."""
    number = (int(time.time() * 1000) << 80) | int.from_bytes(os.urandom(10))
    letters = []
    for _ in range(26):
        letters.append(_ALPHABET[number & 31])
        number >>= 5
    return "".join(reversed(letters))
