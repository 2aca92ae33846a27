"""What one worker knows about itself: its name, its last heartbeat, and its current runs."""

import logging
import threading
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping

from ingot.kit.jobs.errors import Interruption, LeaseLost
from ingot.kit.jobs.run import Run

log = logging.getLogger(__name__)


class Roster:
    """Shared by the threads of one worker."""

    def __init__(self, lease: float) -> None:
        self.lease = lease
        self.name: str | None = None
        self.last_beat = 0.0
        # Held from before a claim until its runs are registered, so that nobody sees the state in between.
        self.booking = threading.Lock()
        self._runs: dict[int, Run] = {}
        self._is_empty = threading.Condition(self.booking)
        self._spent: defaultdict[str, float] = defaultdict(float)  # milliseconds by kind, not yet written
        self._spending = threading.Lock()

    def is_live(self) -> bool:
        """Whether the last heartbeat is recent enough that nobody else may have taken this worker's jobs.

        The clock runs on while a process is paused, so a worker that slept through its lease notices here.
        """
        return time.monotonic() - self.last_beat < self.lease

    def enter(self, run: Run) -> None:
        """Add a run; the caller holds `booking`."""
        self._runs[run.claim.job_id] = run

    def leave(self, runs: Iterable[Run]) -> None:
        """The runs have ended."""
        with self.booking:
            for run in runs:
                # After a lost lease the same job may have returned to this worker as another run.
                if self._runs.get(run.claim.job_id) is run:
                    del self._runs[run.claim.job_id]
            if not self._runs:
                self._is_empty.notify_all()

    def runs(self) -> list[Run]:
        """The current runs."""
        with self.booking:
            return list(self._runs.values())

    def job_ids(self) -> list[int]:
        """Ids of the current jobs; the caller holds `booking`."""
        return list(self._runs)

    def wait_until_empty(self, deadline: float) -> None:
        """Wait for the current runs, at most until `deadline` (monotonic)."""
        with self.booking:
            self._is_empty.wait_for(lambda: not self._runs, max(0.0, deadline - time.monotonic()))

    def interrupt_all(self, reason: Interruption) -> None:
        """Make every run end at its next check or write."""
        for run in self.runs():
            run.interrupt(reason)

    def spend(self, kind: str, seconds: float) -> None:
        """An attempt at a job has taken so long."""
        with self._spending:
            self._spent[kind] += seconds * 1000

    def spent(self) -> dict[str, int]:
        """Whole milliseconds by kind that are still to be written, in the order of the kinds."""
        with self._spending:
            return {kind: int(spent) for kind, spent in sorted(self._spent.items()) if spent >= 1}

    def forget_spent(self, written: Mapping[str, int]) -> None:
        """These were written."""
        with self._spending:
            for kind, number in written.items():
                self._spent[kind] -= number

    def lose(self) -> None:
        """This worker was declared dead while it was paused or cut off: drop everything and register again."""
        log.warning("This worker was declared dead after %.0f s of silence; its jobs run elsewhere.", self.lease)
        self.name = None
        self.interrupt_all(LeaseLost("Another worker took this job over."))
