"""Counting what every request does, without a write for each.

A process counts by itself and tells the database after each hundredth part of the limit, more often near its end.
Nobody is refused too soon: with several processes somebody may have a few hundredths more than the limit. What is
beyond the limit is not written down.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

import msgspec

PARTS = 100
NEAR = 4
MOST_KEYS = 20_000

# Tells the database of so many more of a key, in the window that began then and lasts so many seconds; returns how many
# there are in all (`rate_windows.add`).
Tell = Callable[[str, int, int, int], int]


class Window(msgspec.Struct, frozen=True):
    """How often something happened in the running window, and when the next one begins (Unix time)."""

    observed: int
    resets_at: int


def beginning(period: int) -> int:
    """When the window of `period` seconds that runs now began (Unix time)."""
    return int(time.time()) // period * period


@dataclass(slots=True)
class _Count:
    starts_at: int
    period: int
    told: int = 0  # the database said so, or has been sent so many
    untold: int = 0
    is_known: bool = False  # what others have counted

    def window(self, observed: int) -> Window:
        """The window in which so many were seen."""
        return Window(observed, self.starts_at + self.period)

    def has_room(self, limit: int) -> bool:
        """The next need not be told at once: the limit is far away, or behind."""
        part = min(limit // PARTS, (limit - self.told) // NEAR)
        return self.is_known and (self.untold < part or self.told > limit)


class RateCounts:
    """What one process has counted."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: dict[str, _Count] = {}

    def hit(self, tell: Tell, key: str, period: int, limit: int) -> Window:
        """Count one more in the window of `period` seconds that runs now."""
        with self._lock:
            count = self._current(key, period)
            has_room = count.has_room(limit)
            count.untold += 1
            seen = count.told + count.untold
            if not has_room:
                untold, count.untold = count.untold, 0
                count.told = seen
        if has_room:
            return count.window(seen)
        try:
            seen = tell(key, count.starts_at, period, untold)
        except BaseException:
            with self._lock:  # the request was not counted, and those before it are still to be told
                count.told, count.untold = count.told - untold, count.untold + untold - 1
            raise
        with self._lock:
            count.told, count.is_known = max(count.told, seen), True
        return count.window(seen)

    def hit_in_memory(self, key: str, period: int, limit: int) -> Window | None:
        """As `hit`, where the database need not be told; else None, and nothing was counted."""
        with self._lock:
            count = self._current(key, period)
            if not count.has_room(limit):
                return None
            count.untold += 1
            return count.window(count.told + count.untold)

    def forget(self) -> None:
        """Ask the database again."""
        with self._lock:
            self._counts.clear()

    def _current(self, key: str, period: int) -> _Count:
        count, starts_at = self._counts.get(key), beginning(period)
        if count is None and len(self._counts) >= MOST_KEYS:
            self._make_room()
        if count is None or (count.starts_at, count.period) != (starts_at, period):
            count = self._counts[key] = _Count(starts_at, period)
        return count

    def _make_room(self) -> None:
        now = time.time()
        running = {key: count for key, count in self._counts.items() if now < count.starts_at + count.period}
        self._counts = running if len(running) < MOST_KEYS else {}
