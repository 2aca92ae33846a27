"""The threads that run a worker's claimed jobs, and how many jobs it may claim ahead of them.

Claiming one job at a time costs more than a short job itself, so jobs that proved to be short are claimed in batches.
A job that waits here cannot be run by another worker: no more are claimed than are likely to begin within a moment.
"""

import threading
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue

from ingot.kit.jobs.run import Run
from ingot.kit.thread_loops import keeping_loop

AHEAD_SECONDS = 0.1
MOST_AHEAD = 100
# If a slot stays busy for this long, the estimate was wrong: what waits behind it goes back to the queue.
STUCK_SECONDS = 1.0
# How much the latest job counts in the average.
WEIGHT = 0.25


class Slots:
    """A fixed number of threads, begun when there is work for them, that take runs from one queue."""

    def __init__(self, name: str, number: int, work: Callable[[Run], None], on_low: Callable[[], None]) -> None:
        self._name = name
        self._number = number
        self._work = work
        self._on_low = on_low
        self._waiting: SimpleQueue[Run | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._busy_since: dict[int, float] = {}
        # Until jobs prove to be short, none is claimed ahead.
        self._average = 60.0

    def room(self) -> int:
        """How many more jobs may be claimed."""
        return self._number + self._ahead() - len(self._busy_since) - self._waiting.qsize()

    def add(self, run: Run) -> None:
        """Run this as soon as a thread is free."""
        if len(self._threads) < self._number:
            name = f"{self._name}-{len(self._threads)}"
            thread = threading.Thread(target=self._serve, name=name, daemon=True)
            self._threads.append(thread)
            thread.start()
        self._waiting.put(run)

    def take_back(self, *, only_if_stuck: bool = False) -> list[Run]:
        """Remove and return the runs that have not begun."""
        if only_if_stuck and self._longest() < STUCK_SECONDS:
            return []
        runs: list[Run] = []
        try:
            while True:
                run = self._waiting.get_nowait()
                if run is not None:
                    runs.append(run)
        except Empty:
            return runs

    def close(self) -> None:
        """Let the threads end when they are idle."""
        for _ in self._threads:
            self._waiting.put(None)

    def _ahead(self) -> int:
        return min(MOST_AHEAD, int(self._number * AHEAD_SECONDS / max(self._average, self._longest(), 1e-6)))

    def _longest(self) -> float:
        since = min(list(self._busy_since.values()), default=None)
        return 0.0 if since is None else time.monotonic() - since

    def _serve(self) -> None:
        with keeping_loop():
            self._serve_runs()

    def _serve_runs(self) -> None:
        me = threading.get_ident()
        while (run := self._waiting.get()) is not None:
            begun = self._busy_since[me] = time.monotonic()
            try:
                self._work(run)
            finally:
                del self._busy_since[me]
                self._average += WEIGHT * (time.monotonic() - begun - self._average)
                if self._waiting.qsize() <= self._ahead() // 2:
                    self._on_low()
