"""Background work whose pauses are cut short: its rows say that the time has come."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import select, update

from ingot.kit.clock import now
from ingot.kit.jobs import JobWorker, registry
from ingot.kit.jobs.tables import QUEUED, jobs
from ingot.kit.jobs.wakeup import ring
from ingot.kit.services import Services


@contextmanager
def hurried_worker(services: Services, concurrency: int) -> Iterator[None]:
    """A worker that never waits long for the next attempt of a job that had a fault."""
    stopping = threading.Event()
    hurrying = threading.Thread(target=_hurry, args=(services, stopping))
    worker = JobWorker(services.db, services, concurrency=concurrency)
    worker.start()
    hurrying.start()
    try:
        yield
    finally:
        stopping.set()
        hurrying.join()
        worker.stop()


def _hurry(services: Services, stopping: threading.Event) -> None:
    while not stopping.wait(0.1):
        postponed = (jobs.c.state == QUEUED, jobs.c.faults > 0, jobs.c.run_after > now())
        with services.db.read() as conn:
            row = conn.execute(select(jobs.c.id).where(*postponed)).first()
        if row is not None:
            with services.db.write() as tx:
                tx.execute(update(jobs).where(*postponed).values(run_after=now()))
            ring()


def leave_retries(services: Services, kind: str, number: int) -> None:
    """Of the retries of the queued job of this kind, leave so many."""
    faults = registry.get_kind(kind).retries - number
    with services.db.write() as tx:
        tx.execute(update(jobs).where(jobs.c.kind == kind, jobs.c.state == QUEUED).values(faults=faults))
