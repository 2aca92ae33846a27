"""The engine inside a process: started and stopped with the server, or alone as a worker, and shown to monitoring."""

import asyncio
import signal
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from ingot.kit.db import Database
from ingot.kit.jobs.measure import measure
from ingot.kit.jobs.worker import JobWorker
from ingot.kit.services import Services

STOP_SECONDS = 8.0


def make_worker(services: Services, db: Database) -> JobWorker:
    """A worker with the settings' size and lease."""
    settings = services.settings
    return JobWorker(db, services, concurrency=settings.worker_threads, lease=max(1.0, settings.worker_takeover))


def lifespan(services: Services, db: Database) -> Callable[[Any], AbstractAsyncContextManager[None]]:
    """Run the engine for as long as the server runs; starting it takes no time away from the first request.

    It works on `db`, whose statements may take as long as they need.
    """

    @asynccontextmanager
    async def run(_: object) -> AsyncIterator[None]:
        if not services.settings.worker:
            yield
            return
        worker = make_worker(services, db)
        worker.start()
        try:
            yield
        finally:
            await asyncio.to_thread(worker.stop, STOP_SECONDS)

    return run


def work_until_stopped(services: Services, greet: Callable[[], None] = lambda: None) -> None:
    """The worker process: runs until SIGTERM or SIGINT, then lets running jobs finish or hands them on."""
    stopped = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopped.set())
    # A reader of the greeting may stop the process at once.
    greet()
    worker = make_worker(services, services.db)
    worker.start()
    stopped.wait()
    worker.stop(STOP_SECONDS)


def metrics_source(services: Services) -> Callable[[], list[str]]:
    """Lines for `/-/metrics`, read from the database so that every node reports the same."""

    def lines() -> list[str]:
        with services.db.read() as tx:
            return measure(tx).lines()

    return lines
