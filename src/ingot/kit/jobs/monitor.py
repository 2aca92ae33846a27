"""The worker's second thread: heartbeat, counters and cancellation of running jobs, and takeover from dead workers."""

import logging
import threading
import time
from collections.abc import Callable, Mapping

from sqlalchemy import Connection, select

from ingot.kit.db import Database
from ingot.kit.jobs import liveness
from ingot.kit.jobs.counting import MILLISECONDS, count, database_now
from ingot.kit.jobs.errors import Cancelled, LeaseLost
from ingot.kit.jobs.roster import Roster
from ingot.kit.jobs.run import Run
from ingot.kit.jobs.tables import CANCELLED, jobs, progress
from ingot.kit.upsert import upsert

log = logging.getLogger(__name__)

BEATS_PER_LEASE = 6


class Monitor:
    """Looks after one worker's roster until stopped."""

    def __init__(self, db: Database, roster: Roster, on_lost: Callable[[], None]) -> None:
        self._db = db
        self._roster = roster
        self._on_lost = on_lost
        self._tick = min(1.0, roster.lease / (2 * BEATS_PER_LEASE))
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="jobs-monitor", daemon=True)

    def start(self) -> None:
        """Begin to watch."""
        self._thread.start()

    def stop(self) -> None:
        """End, after a last look at the counters."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join(5.0)

    def _watch(self) -> None:
        while not self._stopped.wait(self._tick):
            for duty in (self._beat, self._check_runs, self._take_over):
                try:
                    duty()
                except Exception as fault:
                    log.warning("Background monitor: %s", type(fault).__name__, exc_info=fault)

    def _beat(self) -> None:
        roster = self._roster
        if roster.name is None or time.monotonic() - roster.last_beat < roster.lease / BEATS_PER_LEASE:
            return
        moment, spent = time.monotonic(), roster.spent()
        # The current runs must not change while they are compared with the booked ones.
        with roster.booking, self._db.write() as tx:
            alive = liveness.beat(tx, roster.name)
            if alive:
                liveness.reconcile(tx, roster.name, roster.job_ids())
            count_spent(tx, spent)
        roster.forget_spent(spent)
        if alive:
            roster.last_beat = moment
        else:
            roster.lose()
            self._on_lost()

    def _check_runs(self) -> None:
        runs = {run.claim.job_id: run for run in self._roster.runs()}
        if not runs:
            return
        with self._db.read() as tx:
            rows = tx.execute(select(jobs.c.id, jobs.c.token, jobs.c.state).where(jobs.c.id.in_(list(runs))))
            known = {row.id: row for row in rows}
        for job_id, run in runs.items():
            row = known.get(job_id)
            if row is None or row.state == CANCELLED:
                run.interrupt(Cancelled("The job was cancelled."))
            elif row.token != run.claim.token:
                run.interrupt(LeaseLost("Another worker took this job over."))
        write_counters(self._db, list(runs.values()))

    def _take_over(self) -> None:
        if self._roster.name is None:
            return
        with self._db.read() as tx:
            dead = liveness.find_dead(tx, self._roster.lease)
        for worker in dead:
            if worker != self._roster.name:
                with self._db.write() as tx:
                    taken = liveness.take_over(tx, worker, self._roster.lease)
                log.warning("Worker %s is silent; %d of its jobs were queued again.", worker, taken)
                self._on_lost()


def count_spent(tx: Connection, spent: Mapping[str, int]) -> None:
    """Add what attempts took, in milliseconds by kind; in one order everywhere, so that workers do not deadlock."""
    for kind, number in spent.items():
        count(tx, kind, MILLISECONDS, number)


def write_counters(db: Database, runs: list[Run]) -> None:
    """Write the counters that changed, all in one transaction."""
    changed = [(run, counters) for run in runs if (counters := run.take_counters()) is not None]
    if not changed:
        return
    with db.write() as tx:
        for run, counters in changed:
            _write_one(tx, run, counters)


def _write_one(tx: Connection, run: Run, counters: dict[str, object]) -> None:
    claim = run.claim
    owned = select(jobs.c.id).where(jobs.c.id == claim.job_id, jobs.c.token == claim.token)
    if tx.execute(owned).first() is None:
        return
    values = {"counters": counters, "updated_at": database_now(tx)}
    statement = upsert(tx.dialect.name, progress).values(job_id=claim.job_id, **values)
    tx.execute(statement.on_conflict_do_update(index_elements=["job_id"], set_=values))
