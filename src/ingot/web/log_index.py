"""Where lines of a log stand, remembered in this process: a log only grows, so what was counted once stays true."""

from bisect import bisect_right
from collections import OrderedDict
from threading import Lock
from weakref import WeakKeyDictionary

import msgspec

from ingot.kit.services import Pools, Services

MOST_LOGS = 200
STEP = 1024 * 1024  # bytes between two marks


class Mark(msgspec.Struct, frozen=True):
    """How many lines end before an offset."""

    offset: int
    lines: int


START = Mark(0, 0)


class LogIndex:
    """The marks of one log, in their order, and how many lines it had when it was last read to its end."""

    def __init__(self) -> None:
        self._marks = [START]
        self._total = (-1, 0)  # at this size, so many lines

    def note(self, offset: int, lines: int) -> None:
        """Remember a place, unless one near it is known."""
        with _lock:
            if offset >= self._marks[-1].offset + STEP:
                self._marks.append(Mark(offset, lines))

    def note_total(self, size: int, lines: int) -> None:
        """Remember how many lines there are."""
        self._total = (size, lines)

    def total_at(self, size: int) -> int | None:
        """How many lines a log of this size has, if that was counted."""
        return self._total[1] if self._total[0] == size else None

    def before_offset(self, offset: int) -> Mark:
        """The last known place at or before an offset."""
        return self._marks[max(0, bisect_right(self._marks, offset, key=lambda mark: mark.offset) - 1)]

    def before_line(self, number: int) -> Mark:
        """The last known place before which fewer lines end than before this line: it begins after that place."""
        return self._marks[max(0, bisect_right(self._marks, number - 2, key=lambda mark: mark.lines) - 1)]


_indexes: WeakKeyDictionary[Pools, OrderedDict[tuple[object, ...], LogIndex]] = WeakKeyDictionary()
_lock = Lock()


def index_of(services: Services, *log: object) -> LogIndex:
    """The index of a log, which is named so that no other ever has the same name."""
    with _lock:
        known = _indexes.setdefault(services.pools, OrderedDict())
        index = known.setdefault(log, LogIndex())
        known.move_to_end(log)
        if len(known) > MOST_LOGS:
            known.popitem(last=False)
        return index
