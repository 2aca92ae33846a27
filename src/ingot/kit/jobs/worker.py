"""The worker: claims due jobs in batches and runs them in its slots; its monitor shows that it lives."""

import logging
import threading
import time
from collections.abc import Collection

from ingot.kit import tallies
from ingot.kit.db import Database
from ingot.kit.jobs import liveness, ownership, wakeup
from ingot.kit.jobs.attempt import run_handler
from ingot.kit.jobs.closing import Closing
from ingot.kit.jobs.errors import Stopping
from ingot.kit.jobs.listening import Listening
from ingot.kit.jobs.monitor import Monitor, count_spent
from ingot.kit.jobs.registry import CALLS, LANES, LONG, SHORT, find_kind, kind_names
from ingot.kit.jobs.roster import Roster
from ingot.kit.jobs.run import Run
from ingot.kit.jobs.schedule import enqueue_due, has_due_interval
from ingot.kit.jobs.slots import Slots
from ingot.kit.records import learn_records
from ingot.kit.services import Services

log = logging.getLogger(__name__)

POLL_SECONDS = 1.0
# Threads that wait for other people's servers: each costs little, and a slow server must not hold up the next.
CALL_SLOTS = 32


class JobWorker:
    """Runs background jobs in threads of this process. `start()` returns at once; nothing waits for the database."""

    def __init__(
        self, db: Database, services: Services, *, concurrency: int = 4, lease: float = 60.0, poll: float = POLL_SECONDS
    ) -> None:
        self._db = db
        self._services = services
        # How often it looks for work that was not announced.
        self._poll = poll
        self._roster = Roster(lease)
        self._bell = wakeup.bell()
        # Half the slots, but at least one, are for work that may take minutes; no lane waits for another.
        half = concurrency // 2
        sizes = {SHORT: max(1, concurrency - half), LONG: max(1, half), CALLS: CALL_SLOTS}
        self._slots = {lane: Slots(f"jobs-{lane}", size, self._attempt, self._bell.set) for lane, size in sizes.items()}
        self._stopping = threading.Event()
        self._looked_at_schedules = 0.0
        self._interrupted = threading.Event()
        self._monitor = Monitor(db, self._roster, on_lost=self._bell.set)
        self._listening = Listening(db, self._bell.set)
        self._closing = Closing(db, self._interrupted.is_set, self._leave)
        self._dispatcher = threading.Thread(target=self._dispatch, name="jobs-dispatch", daemon=True)

    @property
    def name(self) -> str | None:
        """The name under which this worker is registered, once it is."""
        return self._roster.name

    def start(self) -> None:
        """Begin to work."""
        learn_records()
        self._dispatcher.start()
        self._closing.start()
        self._listening.start()
        self._monitor.start()

    def stop(self, grace: float = 10.0) -> None:
        """Claim nothing more, let what runs finish within `grace` seconds, hand the rest to other workers."""
        deadline = time.monotonic() + grace
        self._stopping.set()
        self._bell.set()
        self._dispatcher.join(max(1.0, grace))
        # Jobs that have not begun stay booked until the worker signs off, which releases them.
        self._roster.leave([run for slots in self._slots.values() for run in slots.take_back()])
        self._roster.wait_until_empty(deadline)
        self._interrupted.set()
        self._roster.interrupt_all(Stopping("The worker is stopping."))
        self._roster.wait_until_empty(time.monotonic() + 2.0)
        for slots in self._slots.values():
            slots.close()
        self._closing.stop()
        self._listening.stop()
        self._monitor.stop()
        if self._roster.name is not None:
            try:
                spent = self._roster.spent()
                with self._db.write() as tx:
                    liveness.unregister(tx, self._roster.name)
                    count_spent(tx, spent)
                self._roster.forget_spent(spent)
            except Exception:
                log.warning("The worker could not sign off; its jobs are taken over after the lease.", exc_info=True)

    def _dispatch(self) -> None:
        while not self._stopping.is_set():
            self._bell.clear()
            try:
                self._enter()
                self._schedule()
                self._hand_back()
                claimed = sum([self._claim(lane) for lane in LANES])
            except Exception as fault:
                log.warning("The job queue could not be read: %s", type(fault).__name__, exc_info=fault)
                claimed = 0
            # Slots that run out of work ring the bell as well, so a full worker claims again at once.
            if not claimed:
                self._bell.wait(self._poll)

    def _enter(self) -> None:
        if self._roster.name is None:
            moment = time.monotonic()
            with self._db.write() as tx:
                name = liveness.register(tx)
            self._roster.last_beat = moment
            self._roster.name = name

    def _schedule(self) -> None:
        if time.monotonic() - self._looked_at_schedules < self._poll:
            return
        self._looked_at_schedules = time.monotonic()
        with self._db.read() as tx:
            due = has_due_interval(tx)
        if due:
            with self._db.write() as tx:
                enqueue_due(tx)

    def _hand_back(self) -> None:
        runs = [run for slots in self._slots.values() for run in slots.take_back(only_if_stuck=True)]
        if not runs:
            return
        try:
            with self._db.write() as tx:
                ownership.hand_back(tx, [run.claim for run in runs])
        finally:
            # If that failed, the monitor sees that they are booked but not running here, and queues them again.
            self._roster.leave(runs)

    def _claim(self, lane: str) -> int:
        kinds, name, roster, slots = kind_names(lane), self._roster.name, self._roster, self._slots[lane]
        # Only the dispatcher fills the slots, so the free room can only grow until it is used.
        room = slots.room()
        if name is None or not kinds or not roster.is_live() or room <= 0:
            return 0
        if not self._may_be_due(kinds):
            return 0
        with roster.booking:
            with self._db.write() as tx:
                claims = ownership.claim(tx, name, kinds, room)
            runs = [self._run(claim) for claim in claims]
            for run in runs:
                roster.enter(run)
        for run in runs:
            slots.add(run)
        return len(runs)

    def _may_be_due(self, kinds: Collection[str]) -> bool:
        """Whether a claim is worth its write lock. On PostgreSQL it takes none, and looking first would cost more."""
        if not self._db.is_sqlite:
            return True
        with self._db.read() as tx:
            return ownership.has_due(tx, kinds)

    def _run(self, claim: ownership.Claim) -> Run:
        kind = find_kind(claim.kind)
        timeout = None if kind is None else kind.timeout
        return Run(self._db, self._services, claim, timeout=timeout, is_live=self._roster.is_live)

    def _attempt(self, run: Run) -> None:
        begun = time.perf_counter()
        is_done = run_handler(self._db, run, self._interrupted.is_set)
        kind, seconds = run.claim.kind, time.perf_counter() - begun
        self._roster.spend(kind, seconds)
        tallies.add(tallies.JOB, kind, seconds, tallies.OK if is_done else tallies.FAILED)
        if is_done:
            self._closing.add(run)
        else:
            self._leave([run])

    def _leave(self, runs: list[Run]) -> None:
        self._roster.leave(runs)
        # Work of the same keys may have waited for these.
        self._bell.set()
