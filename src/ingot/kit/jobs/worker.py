"""The worker: claims due jobs and runs each in a thread of its own; its monitor shows that it lives."""

import logging
import threading
import time

from ingot.kit.db import Database
from ingot.kit.jobs import liveness, ownership, wakeup
from ingot.kit.jobs.attempt import run_to_end
from ingot.kit.jobs.errors import Stopping
from ingot.kit.jobs.monitor import Monitor
from ingot.kit.jobs.registry import find_kind, kind_names
from ingot.kit.jobs.roster import Roster
from ingot.kit.jobs.run import Run
from ingot.kit.jobs.schedule import enqueue_due, has_due_interval
from ingot.kit.services import Services

log = logging.getLogger(__name__)

POLL_SECONDS = 1.0


class JobWorker:
    """Runs background jobs in threads of this process. `start()` returns at once; nothing waits for the database."""

    def __init__(self, db: Database, services: Services, *, concurrency: int = 4, lease: float = 60.0) -> None:
        self._db = db
        self._services = services
        # Half the slots, but at least one, are for work that may take minutes; neither half waits for the other.
        self._slots = {True: max(1, concurrency // 2), False: max(1, concurrency - concurrency // 2)}
        self._roster = Roster(lease)
        self._bell = wakeup.bell()
        self._stopping = threading.Event()
        self._looked_at_schedules = 0.0
        self._interrupted = threading.Event()
        self._monitor = Monitor(db, self._roster, on_lost=self._bell.set)
        self._dispatcher = threading.Thread(target=self._dispatch, name="jobs-dispatch", daemon=True)

    @property
    def name(self) -> str | None:
        """The name under which this worker is registered, once it is."""
        return self._roster.name

    def start(self) -> None:
        """Begin to work."""
        self._dispatcher.start()
        self._monitor.start()

    def stop(self, grace: float = 10.0) -> None:
        """Claim nothing more, let what runs finish within `grace` seconds, hand the rest to other workers."""
        deadline = time.monotonic() + grace
        self._stopping.set()
        self._bell.set()
        self._dispatcher.join(max(1.0, grace))
        self._roster.join(deadline)
        self._interrupted.set()
        self._roster.interrupt_all(Stopping("The worker is stopping."))
        self._roster.join(time.monotonic() + 2.0)
        self._monitor.stop()
        if self._roster.name is not None:
            try:
                with self._db.write() as tx:
                    liveness.unregister(tx, self._roster.name)
            except Exception:
                log.warning("The worker could not sign off; its jobs are taken over after the lease.", exc_info=True)

    def _dispatch(self) -> None:
        while not self._stopping.is_set():
            self._bell.clear()
            try:
                self._enter()
                self._schedule()
                result = self._claim(long=False) + self._claim(long=True)
            except Exception as fault:
                log.warning("The job queue could not be read: %s", type(fault).__name__, exc_info=fault)
                result = 0
            # A run that ends rings the bell as well, so a full house is looked at again at once.
            if not result:
                self._bell.wait(POLL_SECONDS)

    def _enter(self) -> None:
        if self._roster.name is None:
            moment = time.monotonic()
            with self._db.write() as tx:
                name = liveness.register(tx)
            self._roster.last_beat = moment
            self._roster.name = name

    def _schedule(self) -> None:
        if time.monotonic() - self._looked_at_schedules < POLL_SECONDS:
            return
        self._looked_at_schedules = time.monotonic()
        with self._db.read() as tx:
            due = has_due_interval(tx)
        if due:
            with self._db.write() as tx:
                enqueue_due(tx)

    def _claim(self, *, long: bool) -> int:
        kinds, name, roster = kind_names(long=long), self._roster.name, self._roster
        if name is None or not kinds or not roster.is_live() or self._free_slots(long) <= 0:
            return 0
        with self._db.read() as tx:
            if not ownership.has_due(tx, kinds):
                return 0
        with roster.booking:
            with self._db.write() as tx:
                claims = ownership.claim(tx, name, kinds, self._free_slots(long))
            for held in claims:
                self._launch(held)
        return len(claims)

    def _launch(self, held: ownership.Claim) -> None:
        kind = find_kind(held.kind)
        run = Run(
            self._db,
            self._services,
            held,
            timeout=None if kind is None else kind.timeout,
            is_live=self._roster.is_live,
            is_long=kind is not None and kind.is_long,
        )
        thread = threading.Thread(target=self._attempt, args=(run,), name=f"job-{held.key}", daemon=True)
        self._roster.enter(run, thread)
        thread.start()

    def _attempt(self, run: Run) -> None:
        try:
            run_to_end(self._db, run, self._interrupted.is_set)
        finally:
            self._roster.leave(run)
            self._bell.set()

    def _free_slots(self, long: bool) -> int:
        # Only the dispatcher adds runs, so the number can only grow until it has used it.
        return self._slots[long] - self._roster.size(long=long)
