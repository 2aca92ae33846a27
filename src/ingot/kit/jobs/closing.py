"""Writes the ends of successful runs: all that finished while the last batch was written go into one transaction."""

import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue

from ingot.kit.db import Database
from ingot.kit.jobs.attempt import write_successes
from ingot.kit.jobs.run import Run


class Closing:
    """One thread of a worker. `on_written` is called with the runs whose ends are written."""

    def __init__(self, db: Database, is_abandoned: Callable[[], bool], on_written: Callable[[list[Run]], None]) -> None:
        self._db = db
        self._is_abandoned = is_abandoned
        self._on_written = on_written
        self._ended: SimpleQueue[Run | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._write, name="jobs-closing", daemon=True)

    def start(self) -> None:
        """Begin to write."""
        self._thread.start()

    def add(self, run: Run) -> None:
        """This run has succeeded."""
        self._ended.put(run)

    def stop(self) -> None:
        """End after what has been added."""
        self._ended.put(None)

    def _write(self) -> None:
        while (first := self._ended.get()) is not None:
            runs, is_last = self._rest(first)
            write_successes(self._db, runs, self._is_abandoned)
            self._on_written(runs)
            if is_last:
                return

    def _rest(self, first: Run) -> tuple[list[Run], bool]:
        runs = [first]
        try:
            while (run := self._ended.get_nowait()) is not None:
                runs.append(run)
        except Empty:
            return runs, False
        return runs, True
