"""One attempt at one job, as its handler sees it: steps that are not done twice, counters, and fenced writes."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from typing import Any

from sqlalchemy import Connection

from ingot.kit.db import Database, after_commit
from ingot.kit.jobs.errors import Cancelled, Interruption, LeaseLost, TimedOut
from ingot.kit.jobs.ownership import Claim, fence, record_step, recorded_steps
from ingot.kit.services import Services


class FencedDatabase(Database):
    """The database as a run may use it: a write transaction opens only while the job is still this run's."""

    def __init__(self, database: Database, guard: Callable[[Connection], None]) -> None:
        # Shares the engines and the writers' queue of the database it wraps.
        self.__dict__.update(database.__dict__)
        self._guard = guard

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """One write transaction, refused with an `Interruption` when the job was taken over or cancelled."""
        with super().write() as tx:
            self._guard(tx)
            yield tx


def _with_database(services: Services, database: Database) -> Services:
    """The services with the fenced database in place of the plain one, so that commands called with them are fenced."""
    fenced = copy(services)
    fenced.db = database
    return fenced


class Run:
    """What a handler gets: `db` (writes are fenced), `services`, steps, counters and `check`."""

    def __init__(
        self,
        database: Database,
        services: Services,
        claim: Claim,
        *,
        timeout: float | None,
        is_live: Callable[[], bool],
    ) -> None:
        self.claim = claim
        self.db = FencedDatabase(database, self._guard)
        self.services = _with_database(services, self.db)
        self._is_live = is_live
        self._timeout = timeout
        self._deadline: float | None = None
        self._interruption: Interruption | None = None
        self._knows_end = False  # the handler was told that the run must end
        self._results: dict[str, Any] | None = None
        self._counters: dict[str, Any] = {}
        self._counters_changed = False
        self._lock = threading.Lock()

    @property
    def key(self) -> str:
        """The job's key, for instance `export-17`."""
        return self.claim.key

    @property
    def is_first_attempt(self) -> bool:
        """Whether no earlier attempt met a fault or lost its worker."""
        return self.claim.faults == 0 and self.claim.takeovers == 0

    def begin(self) -> None:
        """Start the clock of the time limit; called by the worker. Raises when the run was ended before it began."""
        if self._timeout is not None:
            self._deadline = time.monotonic() + self._timeout
        self.check()

    def step(self, name: str, work: Callable[[], object]) -> Any:
        """Do the work unless an earlier attempt recorded it, and record its JSON result.

        The work runs outside any transaction and may be repeated when the worker dies before the recording: it must
        give the same result again. Where it only writes rows, `transact` makes the two one.
        """
        known = self._known()
        if name in known:
            return known[name]
        self.check()
        result = work()
        with self.db.write() as tx:
            self.record(tx, name, result)
        return result

    def transact(self, name: str, work: Callable[[Connection], object]) -> Any:
        """As `step`, with the work inside the recording transaction: its rows are written exactly once."""
        known = self._known()
        if name in known:
            return known[name]
        self.check()
        with self.db.write() as tx:
            result = work(tx)
            self.record(tx, name, result)
        return result

    def record(self, tx: Connection, name: str, result: object = None) -> None:
        """Note a step as done in a transaction of `run.db.write()` that also holds its effects."""
        known = self._known()
        record_step(tx, self.claim, name, result)
        after_commit(tx, lambda: known.update({name: result}))

    def progress(
        self, *, done: int | None = None, total: int | None = None, label: str | None = None, **more: object
    ) -> None:
        """Set counters that others can read. The worker writes them out each second, so calling it often is free."""
        given = {"done": done, "total": total, "label": label, **more}
        with self._lock:
            self._counters.update({name: value for name, value in given.items() if value is not None})
            self._counters_changed = True

    def check(self) -> None:
        """Raise when the run must end: cancelled, taken over, worker stopping, or out of time."""
        if self._interruption is not None:
            self._knows_end = True
            raise self._interruption
        if not self._is_live():
            self._knows_end = True
            raise LeaseLost(f"{self.key}: this worker was silent for longer than its lease.")
        if self._deadline is not None and time.monotonic() > self._deadline:
            raise TimedOut(f"The job exceeded its time limit of {self._timeout:g} seconds.")

    def check_waiting(self) -> None:
        """Raise when the job was cancelled while its handler waits for git; once, as it may need git to clean up."""
        if isinstance(self._interruption, Cancelled) and not self._knows_end:
            self._knows_end = True
            raise self._interruption

    def interrupt(self, reason: Interruption) -> None:
        """Make the next check or write raise; called by the worker."""
        self._interruption = self._interruption or reason

    def take_counters(self) -> dict[str, Any] | None:
        """The counters if they changed since the last call; called by the worker."""
        with self._lock:
            if not self._counters_changed:
                return None
            self._counters_changed = False
            return dict(self._counters)

    def _guard(self, tx: Connection) -> None:
        try:
            if self._interruption is not None:
                raise self._interruption
            fence(tx, self.claim)
        except Interruption:
            self._knows_end = True
            raise

    def _known(self) -> dict[str, Any]:
        if self._results is None:
            with self.db.read() as tx:
                self._results = recorded_steps(tx, self.claim)
        return self._results
