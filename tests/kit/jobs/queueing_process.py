"""A process without a worker that queues one job: `python -m tests.kit.jobs.queueing_process URL`."""

import sys

from ingot.kit.db import Database
from ingot.kit.jobs import enqueue
from tests.kit.jobs import kinds  # noqa: F401 - registers the kind


def main(url: str) -> None:
    with Database(url).write() as tx:
        enqueue(tx, "test_note", args={"word": "queued by another node"})


main(sys.argv[1])
