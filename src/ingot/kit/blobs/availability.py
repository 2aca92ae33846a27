"""A store that stays silent costs its first callers their whole patience; those after them are told at once.

For requests: they wait for threads that others want too. Background work has pauses of its own.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from ingot.kit.blobs.errors import StoreUnavailable

# After a silence nobody asks for this part of it; then one caller tries for all.
PAUSE = 0.2


class Availability:
    """What this process knows of the store's silence. Refusals that come at once cost nothing and change nothing."""

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._pause = patience * PAUSE
        self._silent = False
        self._next_try = 0.0
        self._lock = threading.Lock()

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Around work that talks with the store."""
        self._admit()
        began = time.monotonic()
        try:
            yield
        except StoreUnavailable:
            if time.monotonic() - began >= self._patience * 0.9:
                with self._lock:
                    self._silent, self._next_try = True, time.monotonic() + self._pause
            raise
        else:
            self._silent = False

    def _admit(self) -> None:
        if not self._silent:
            return
        with self._lock:
            moment = time.monotonic()
            if moment < self._next_try:
                raise StoreUnavailable
            self._next_try = moment + self._patience + self._pause
