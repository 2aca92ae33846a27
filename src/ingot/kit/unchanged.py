"""Records as they were shown last: given again while all that they are made from is equal.

Most records of a page have not changed since it was last asked for. Comparing what was read costs a fraction of making
a record of many fields. The maker of a record must read nothing but its parts. A record that is given again has its
JSON at hand too.
"""

from collections.abc import Hashable
from typing import Generic, TypeVar

import msgspec

T = TypeVar("T")
MOST = 500
LONGEST = 4_000  # characters of the longest text of a record

_encode = msgspec.json.Encoder().encode
# The JSON of records that were given again, by their identity; with the record, so that its number is nobody else's.
_texts: dict[int, tuple[object, bytes]] = {}


class Unchanged(Generic[T]):
    """Records of one kind, shared by the threads of a process; none may be changed after it was shown."""

    def __init__(self) -> None:
        self._known: dict[Hashable, tuple[tuple[object, ...], T]] = {}

    def find(self, key: Hashable, parts: tuple[object, ...]) -> T | None:
        """The record that was made from these parts."""
        known = self._known.get(key)
        if known is None or known[0] != parts:
            return None
        record = known[1]
        if id(record) not in _texts:
            if len(_texts) >= MOST:
                _texts.clear()
            _texts[id(record)] = record, _encode(record)
        return record

    def keep(self, key: Hashable, parts: tuple[object, ...], record: T, text: str | None) -> T:
        """Remember a record, unless its text is long."""
        if text is None or len(text) <= LONGEST:
            if len(self._known) >= MOST:
                self._known.clear()
            self._known[key] = parts, record
        return record


def json_of(record: object) -> bytes:
    """The JSON of a record, which was made before if the record is one that is given again."""
    known = _texts.get(id(record))
    return known[1] if known is not None and known[0] is record else _encode(record)
