"""Background work on both databases: from the commit that queues a job to its first line, and jobs per second."""

from __future__ import annotations

import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

sys.path.insert(0, str(Path(__file__).parent.parent / "src"))

from bench._page import write_section
from ingot.kit.db import Database, metadata
from ingot.kit.jobs import JobWorker, enqueue, job, tables

if TYPE_CHECKING:
    from ingot.kit.jobs import Run
    from ingot.kit.services import Services

SINGLE, MANY = 50, 5000
ABOUT = f"""\
One worker with four threads: first {SINGLE} jobs one by one, then {MANY:,} that do nothing, queued at once. The goal is
1,000 jobs a second on both."""
PATIENCE = 60
_begun: dict[int, float] = {}
_all_begun = threading.Event()
TABLES = [tables.jobs, tables.steps, tables.progress, tables.workers, tables.schedules, tables.counters]


@job("bench_mark")
def mark(run: Run, number: int) -> None:  # noqa: ARG001 - a handler is given its run
    """Note the moment."""
    _begun[number] = time.perf_counter()
    if len(_begun) >= SINGLE + MANY:
        _all_begun.set()


def _measure(url: str, name: str) -> str:
    """Measure one database; returns its row of the table."""
    _begun.clear()
    _all_begun.clear()
    db = Database(url)
    metadata.create_all(db.writer, tables=TABLES)
    worker = JobWorker(db, cast("Services", SimpleNamespace(db=db)), concurrency=4)
    worker.start()
    delays = []
    for number in range(SINGLE):
        with db.write() as tx:
            enqueue(tx, "bench_mark", args={"number": number})
        queued = time.perf_counter()
        while number not in _begun:
            time.sleep(0.0005)
            if time.perf_counter() - queued > PATIENCE:
                raise RuntimeError("the job was never run")
        delays.append(max(0.0, _begun[number] - queued) * 1000)
    with db.write() as tx:
        for number in range(SINGLE, SINGLE + MANY):
            enqueue(tx, "bench_mark", args={"number": number})
    began = time.perf_counter()
    _all_begun.wait(120)
    rate = MANY / (time.perf_counter() - began)
    worker.stop()
    db.dispose()
    row = f"| {name} | {statistics.median(delays):.1f} | {rate:.0f} |"
    print(row)
    return row


def main() -> None:
    """Print both databases, one line each, and write the section."""
    with tempfile.TemporaryDirectory() as folder:
        rows = [_measure(f"sqlite:///{folder}/jobs.db", "SQLite")]
    sys.path.insert(0, str(Path(__file__).parent.parent))
    from bench._postgres import version_of
    from tests.support.postgres import PostgresServer

    server = PostgresServer()
    try:
        server.execute("CREATE DATABASE bench")
        rows.append(_measure(server.url("bench"), "PostgreSQL"))
        version = version_of(server.url("bench"))
    finally:
        server.close()
    head = "| Database | from commit to start, ms (median) | empty jobs/s |\n|---|---:|---:|"
    write_section("Background jobs", "\n".join([ABOUT, "", head, *rows]), postgres=version)
