"""The engine inside a process: started and stopped with the server, or alone as a worker, and shown to monitoring."""

import asyncio
import gc
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, NoReturn

from ingot.kit import telemetry
from ingot.kit.db import Database
from ingot.kit.jobs.measure import measure
from ingot.kit.jobs.worker import JobWorker
from ingot.kit.memory import hold_little
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
        telemetry.send_to(services.settings.otlp_endpoint)
        worker = make_worker(services, db) if services.settings.worker else None
        if worker is not None:
            worker.start()
        try:
            yield
        finally:
            await asyncio.to_thread(services.fetches.write)
            if worker is not None:
                await asyncio.to_thread(worker.stop, STOP_SECONDS)
            if services.settings.otlp_endpoint:
                await asyncio.to_thread(telemetry.switch_off)

    return run


def work_until_stopped(services: Services, greet: Callable[[], None] = lambda: None) -> NoReturn:
    """The worker process: runs until SIGTERM or SIGINT, then lets running jobs finish or hands them on, and exits."""
    # The byte is written as the signal comes. What Python does about one waits for this thread, and nothing wakes it
    # from a lock where the signal reaches another thread, or comes while it is on its way there.
    told, tell = os.pipe()
    os.set_blocking(tell, False)
    signal.set_wakeup_fd(tell)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: None)
    hold_little()
    # The program stays. What jobs leave is collected when it is much beside itself, not beside all that is loaded.
    gc.freeze()
    # A reader of the greeting may stop the process at once.
    greet()
    telemetry.send_to(services.settings.otlp_endpoint)
    worker = make_worker(services, services.db)
    worker.start()
    os.read(told, 1)
    worker.stop(STOP_SECONDS)
    telemetry.switch_off()
    logging.shutdown()
    sys.stdout.flush()
    # Threads that did not end in time may be inside a library; taking the interpreter down around them can hang.
    os._exit(0)


def metrics_source(services: Services) -> Callable[[], list[str]]:
    """Lines for `/-/metrics`, read from the database so that every node reports the same."""

    def lines() -> list[str]:
        with services.db.read() as tx:
            return measure(tx).lines()

    return lines
