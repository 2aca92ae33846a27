"""Records as they were shown last: given again while all that they are made from is equal.

Most records of a page have not changed since it was last asked for. Comparing what was read costs a fraction of making
a record of many fields. The maker of a record must read nothing but its parts.
"""

from collections.abc import Hashable
from typing import Generic, TypeVar

T = TypeVar("T")
MOST = 500
LONGEST = 4_000  # characters of the longest text of a record


class Unchanged(Generic[T]):
    """Records of one kind, shared by the threads of a process; none may be changed after it was shown."""

    def __init__(self) -> None:
        self._known: dict[Hashable, tuple[tuple[object, ...], T]] = {}

    def find(self, key: Hashable, parts: tuple[object, ...]) -> T | None:
        """The record that was made from these parts."""
        known = self._known.get(key)
        return known[1] if known is not None and known[0] == parts else None

    def keep(self, key: Hashable, parts: tuple[object, ...], record: T, text: str | None) -> T:
        """Remember a record, unless its text is long."""
        if text is None or len(text) <= LONGEST:
            if len(self._known) >= MOST:
                self._known.clear()
            self._known[key] = parts, record
        return record
