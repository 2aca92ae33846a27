"""The engine as operators meet it: inside `serve`, as `ingot worker`, through `ingot jobs` and in the metrics."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ingot.kit.db import Database
from ingot.kit.jobs import enqueue, find_job
from ingot.kit.jobs.retention import delete_old_jobs
from tests.support.databases import Databases
from tests.support.forked_program import run_program
from tests.support.server import RunningServer
from tests.support.waiting import until

KIND = "job_retention"
assert delete_old_jobs is not None  # its import registers the kind


class Ingot:
    """The command line on one database."""

    def __init__(self, url: str, data: Path) -> None:
        self.environment = {
            **os.environ,
            "PYTHONPATH": "src",
            "INGOT_DATABASE_URL": url,
            "INGOT_DATA": str(data),
        }

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        return run_program(*words, environment=self.environment)

    def start(self, *words: str) -> subprocess.Popen[str]:
        return subprocess.Popen([sys.executable, "-m", "ingot", *words], env=self.environment, text=True)


@pytest.fixture
def url(databases: Databases, tmp_path: Path) -> str:
    return databases.fresh(tmp_path)


@pytest.fixture
def ingot(url: str, tmp_path: Path) -> Ingot:
    return Ingot(url, tmp_path)


@pytest.fixture
def db(url: str) -> Iterator[Database]:
    database = Database(url)
    yield database
    database.dispose()


def queue(db: Database, key: str) -> int:
    with db.write() as tx:
        return enqueue(tx, KIND, key=key)


def is_gone(db: Database, key: str) -> bool:
    # A periodic kind's row is deleted when it succeeds.
    with db.read() as tx:
        return find_job(tx, key) is None


def test_serve_runs_the_engine_and_shows_it_in_the_metrics(url: str, db: Database, tmp_path: Path) -> None:
    with RunningServer(url, tmp_path) as server:
        queue(db, "sweep-now")
        until(lambda: is_gone(db, "sweep-now"))

        text = server.client(None).http.get(f"{server.url}/-/metrics").text

    assert 'ingot_jobs_total{kind="job_retention",event="done"} 1' in text
    assert "ingot_workers 1" in text
    assert "ingot_jobs_oldest_due_seconds" in text


def test_serve_without_worker_leaves_the_queue_alone(url: str, db: Database, tmp_path: Path) -> None:
    with RunningServer(url, tmp_path, worker=False) as server:
        queue(db, "waits")
        text = server.client(None).http.get(f"{server.url}/-/metrics").text

    assert "ingot_workers 0" in text
    assert 'ingot_jobs_queued{kind="job_retention"} 1' in text


def test_the_worker_command_runs_jobs_and_stops_cleanly(ingot: Ingot, db: Database) -> None:
    queue(db, "sweep-now")
    process = ingot.start("worker")
    try:
        until(lambda: is_gone(db, "sweep-now"))
        process.terminate()
        assert process.wait(120) == 0
    finally:
        process.kill()
        process.wait()


def test_jobs_are_listed_cancelled_and_tried_again_on_the_command_line(ingot: Ingot, db: Database) -> None:
    number = queue(db, "sweep-now")

    listed = ingot.run("jobs", "list", "--state", "queued")
    assert "sweep-now" in listed.stdout
    assert ingot.run("jobs", "cancel", str(number)).stdout == f"Job {number} was cancelled.\n"
    assert ingot.run("jobs", "retry", str(number)).stdout == f"Job {number} was queued again.\n"

    refused = ingot.run("jobs", "retry", str(number))
    assert refused.returncode == 1
    reason = f"Job {number} does not exist, or it is not failed or cancelled"
    assert refused.stderr == f"ingot: {reason}. Run `ingot jobs list` to see all jobs.\n"
    assert ingot.run("jobs", "cancel", "999").returncode == 1
