"""Pauses for threads that compute for a long time.

An event loop lets go of the interpreter at every system call. While another thread computes, the loop waits for a
switch interval to get it back, several times for one cheap request. A thread that sleeps now and then spares it that.
"""

from collections.abc import Iterable, Iterator
from time import monotonic, sleep
from typing import TypeVar

T = TypeVar("T")

WORK = 0.004  # seconds
PAUSE = 0.004


class Turns:
    """Call `step` between short pieces of work; never on an event loop."""

    def __init__(self) -> None:
        self._begin = monotonic()

    def step(self) -> None:
        """Pause, if the work has gone on for long enough."""
        if monotonic() - self._begin > WORK:
            sleep(PAUSE)
            self._begin = monotonic()


def with_turns(items: Iterable[T]) -> Iterator[T]:
    """The same items, with pauses while there are very many."""
    turns = Turns()
    for item in items:
        turns.step()
        yield item
