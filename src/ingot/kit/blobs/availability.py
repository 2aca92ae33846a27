"""Remembers that a store does not answer: later callers get the error at once instead of waiting too.

For requests: they wait for threads that others want too. Background work has pauses of its own.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ingot.kit.blobs.errors import StoreUnavailable

# How long nobody asks after a silence, as a share of it; then one caller tries for all.
PAUSE = 0.2


class Availability:
    """What this process knows about an unresponsive store. Immediate refusals cost nothing and change nothing."""

    def __init__(self, patience: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._patience, self._clock = patience, clock
        self._pause = patience * PAUSE
        self._silent = False
        self._next_try = 0.0
        self._lock = threading.Lock()

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Around work that talks with the store."""
        self._admit()
        began = self._clock()
        try:
            yield
        except StoreUnavailable:
            moment = self._clock()
            with self._lock:
                self._silent = self._silent or moment - began >= self._patience * 0.9
                self._next_try = moment + self._pause
            raise
        except BaseException:
            # The work may have ended before the store was asked, which says nothing about the store: the next caller
            # tries.
            self._next_try = 0.0
            raise
        else:
            self._silent = False

    def _admit(self) -> None:
        if not self._silent:
            return
        with self._lock:
            moment = self._clock()
            if moment < self._next_try:
                raise StoreUnavailable
            self._next_try = moment + self._patience + self._pause
