"""A worker hears at once of work that others have queued; without that it would look only once in an hour here."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ingot.kit.db import Database
from ingot.kit.jobs import JobWorker
from tests.kit.jobs import kinds
from tests.support.waiting import until

ROOT = Path(__file__).parents[3]
HOUR = 3600.0


def run_script(name: str, url: str) -> None:
    subprocess.run([sys.executable, "-m", f"tests.kit.jobs.{name}", url], cwd=ROOT, check=True, timeout=300)


def words(db: Database) -> list[str]:
    with db.read() as tx:
        return kinds.words(tx)


def test_forked_processes_wake_each_others_worker(url: str, db: Database) -> None:
    run_script("forked_processes", url)

    assert words(db) == ["queued beside the worker"]


@pytest.mark.postgres
def test_another_node_wakes_the_worker(url: str, db: Database, start: Callable[..., JobWorker]) -> None:
    worker = start(poll=HOUR)
    until(lambda: worker.name is not None)
    run_script("queueing_process", url)

    until(lambda: words(db) == ["queued by another node"])
