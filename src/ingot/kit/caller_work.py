"""How much processor time the work of each caller took lately.

Threads of one interpreter compute one after the other, so a caller whose work computes gains nothing from several turns
at once, and everybody else waits longer for each of theirs.
"""

import threading
from time import monotonic

AT_ONCE = 0.5  # seconds of the processor that nobody minds
PART = 0.25  # of a processor that a caller may keep busy for long
MOST = 1_000


class CallerWork:
    """The processor time of callers, of which `PART` is forgotten as time goes by."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # for writing: threads of several lanes note at once
        self._spent: dict[str, tuple[float, float]] = {}  # seconds that are left at a time

    def note(self, caller: str, seconds: float) -> None:
        """Work of this caller took so much processor time."""
        now = monotonic()
        with self._lock:
            if len(self._spent) >= MOST:
                self._spent = {one: (left, at) for one, (left, at) in self._spent.items() if left > (now - at) * PART}
            self._spent[caller] = (self._left(caller, now) + seconds, now)

    def is_heavy(self, caller: str) -> bool:
        """Whether the caller keeps a processor busy."""
        return caller in self._spent and self.heavy_for(caller) > 0

    def heavy_for(self, caller: str) -> float:
        """For how many seconds more, if no work is added."""
        return max(0.0, self._left(caller, monotonic()) - AT_ONCE) / PART

    def _left(self, caller: str, now: float) -> float:
        seconds, at = self._spent.get(caller, (0.0, now))
        return max(0.0, seconds - (now - at) * PART)
