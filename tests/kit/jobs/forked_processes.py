"""A worker, and a process forked beside it that queues a job: `python -m tests.kit.jobs.forked_processes URL`."""

import os
import sys

from ingot.kit.db import Database
from ingot.kit.jobs import JobWorker, enqueue
from ingot.kit.jobs.wakeup import share_with_forks
from tests.kit.jobs import kinds
from tests.support.waiting import until


def main(url: str) -> None:
    share_with_forks()
    gate, opener = os.pipe()
    if not os.fork():
        os.read(gate, 1)
        with Database(url).write() as tx:
            enqueue(tx, "test_note", args={"word": "queued beside the worker"})
        os._exit(0)
    db = Database(url)
    worker = JobWorker(db, kinds.Services(db), poll=3600.0)
    worker.start()
    until(lambda: worker.name is not None)
    os.write(opener, b".")
    until(lambda: _words(db))
    worker.stop(grace=1.0)


def _words(db: Database) -> list[str]:
    with db.read() as tx:
        return kinds.words(tx)


main(sys.argv[1])
