"""Threads of a worker that listen for work queued by other processes and nodes."""

import logging
import threading
from collections.abc import Callable

from ingot.kit.db import Database
from ingot.kit.jobs import wakeup

log = logging.getLogger(__name__)

# How soon a thread notices that it should end.
LOOK_SECONDS = 1.0
RECONNECT_SECONDS = 5.0


class Listening:
    """Calls `on_work` when others have queued work, until stopped."""

    def __init__(self, db: Database, on_work: Callable[[], None]) -> None:
        self._db = db
        self._on_work = on_work
        self._stopped = threading.Event()

    def start(self) -> None:
        """Start listening where there are other processes or nodes."""
        if wakeup.has_siblings():
            threading.Thread(target=self._listen_to_siblings, name="jobs-siblings", daemon=True).start()
        # Behind a pooler nobody would hear: there the worker finds work when it looks for it next.
        if not self._db.is_sqlite and not self._db.behind_pooler:
            threading.Thread(target=self._listen_to_nodes, name="jobs-nodes", daemon=True).start()

    def stop(self) -> None:
        """End within a moment."""
        self._stopped.set()

    def _listen_to_siblings(self) -> None:
        while not self._stopped.is_set():
            if wakeup.wait_for_siblings(LOOK_SECONDS):
                self._on_work()

    def _listen_to_nodes(self) -> None:
        while not self._stopped.is_set():
            try:
                self._listen()
            except Exception as fault:  # noqa: BLE001 - listening only saves time
                log.info("Listening for work of other nodes ended: %s", type(fault).__name__)
                self._stopped.wait(RECONNECT_SECONDS)

    def _listen(self) -> None:
        with self._db.listen(wakeup.CHANNEL) as wait:
            # Work may have been queued while nobody listened.
            self._on_work()
            while not self._stopped.is_set():
                if wait(LOOK_SECONDS):
                    self._on_work()
