"""Both databases for every test of the engine, and real worker processes that can be paused and killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ingot.kit.db import Database
from ingot.kit.jobs import JobWorker, registry, tables
from tests.kit.jobs import kinds
from tests.support.databases import Databases

HERE = Path(__file__).parent
ENGINE_TABLES = (tables.steps, tables.progress, tables.jobs, tables.workers, tables.schedules, tables.counters)


@pytest.fixture(autouse=True)
def periodic_work() -> Iterator[None]:
    """The tick, until the end of the test."""
    kinds.register_tick()
    yield
    del registry._kinds["test_tick"]


@pytest.fixture(scope="module")
def url(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> str:
    return databases.fresh(tmp_path_factory.mktemp("jobs"))


@pytest.fixture
def db(url: str) -> Iterator[Database]:
    """One database for all tests of a module, empty at the start of each."""
    database = Database(url)
    kinds.metadata.create_all(database.writer)
    with database.write() as tx:
        for table in (kinds.traces, *ENGINE_TABLES):
            tx.execute(table.delete())
    yield database
    database.dispose()


@pytest.fixture
def start(db: Database) -> Iterator[Callable[..., JobWorker]]:
    """Start a worker in this process; stopped at the end of the test."""
    started: list[JobWorker] = []

    def begin(**options: float) -> JobWorker:
        worker = JobWorker(db, kinds.Services(db), **options)  # type: ignore[arg-type]
        worker.start()
        started.append(worker)
        return worker

    yield begin
    for worker in started:
        worker.stop(grace=1.0)


class WorkerProcess:
    """A worker in a process of its own."""

    def __init__(self, url: str, lease: float) -> None:
        self.popen = subprocess.Popen(
            [sys.executable, "-m", "tests.kit.jobs.worker_process", url, str(lease)],
            cwd=HERE.parents[2],
            env={**os.environ, "PYTHONPATH": f"src{os.pathsep}."},
            start_new_session=True,
        )

    def signal(self, number: int) -> None:
        self.popen.send_signal(number)

    def end(self) -> None:
        if self.popen.poll() is None:
            self.popen.send_signal(signal.SIGCONT)
            self.popen.kill()
        self.popen.wait()


@pytest.fixture
def spawn(url: str) -> Iterator[Callable[..., WorkerProcess]]:
    spawned: list[WorkerProcess] = []

    def begin(lease: float = 30.0) -> WorkerProcess:
        process = WorkerProcess(url, lease)
        spawned.append(process)
        return process

    yield begin
    for process in spawned:
        process.end()
