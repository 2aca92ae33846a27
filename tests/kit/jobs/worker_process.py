"""A worker as a process: `python -m tests.kit.jobs.worker_process URL LEASE`, until killed or told to stop."""

import logging
import signal
import sys
import threading

from ingot.kit.db import Database
from ingot.kit.jobs import JobWorker
from tests.kit.jobs import kinds


def main(url: str, lease: str) -> None:
    logging.basicConfig(level=logging.ERROR)
    kinds.register_tick()
    db = Database(url)
    worker = JobWorker(db, kinds.Services(db), concurrency=4, lease=float(lease))
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    worker.start()
    ended.wait()
    worker.stop(grace=0.3)


main(*sys.argv[1:])
