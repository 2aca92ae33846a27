"""A statement of a request that takes too long is ended by PostgreSQL; background work may take its time."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import select, text

from ingot.kit.jobs import Run, enqueue, job
from ingot.kit.jobs.tables import jobs
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.waiting import until

# Long enough that no statement takes it by itself, whatever else the machine does.
LIMIT = 8.0


@job("test_slow_statement")
def slow_statement(run: Run) -> None:
    """Longer than any request may."""
    with run.db.read() as conn:
        conn.execute(text(f"SELECT pg_sleep({1.5 * LIMIT})"))


pytestmark = pytest.mark.postgres


@pytest.fixture(scope="module")
def url(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> str:
    return databases.fresh(tmp_path_factory.mktemp("database"))


@pytest.fixture(scope="module")
def impatient(url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    data: Path = tmp_path_factory.mktemp("data")
    with RunningServer(url, data, statement_timeout=LIMIT) as running:
        yield running


@contextmanager
def locked(url: str, table: str) -> Iterator[None]:
    """Make every statement that touches the table wait."""
    with psycopg.connect(url) as other:
        other.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")
        yield
        other.rollback()


def test_a_request_whose_statement_takes_too_long_is_answered_503_in_time(url: str, impatient: RunningServer) -> None:
    client = impatient.client()
    client.ok("GET", "/projects")

    with locked(url, "projects"):
        # While the table is locked; made anew, because an answer that is known needs no table.
        refused = client.get("/projects", headers={"Cache-Control": "no-cache"})

    assert refused.status_code == 503
    assert int(refused.headers["Retry-After"]) > 0
    assert client.get("/projects").status_code == 200


def test_a_write_that_takes_too_long_leaves_nothing(url: str, impatient: RunningServer) -> None:
    client = impatient.client()

    with locked(url, "projects"):
        refused = client.post("/projects", json={"name": "Slow"})

    assert refused.status_code == 503
    assert client.get("/projects/root%2Fslow").status_code == 404
    assert client.post("/projects", json={"name": "Slow"}).status_code == 201


def test_background_work_is_not_limited(impatient: RunningServer) -> None:
    with impatient.services.db.write() as tx:
        enqueue(tx, "test_slow_statement", key="slow-statement")

    def state() -> str:
        with impatient.services.db.read() as conn:
            query = select(jobs.c.state).where(jobs.c.key == "slow-statement")
            return str(conn.execute(query).scalar_one_or_none())

    until(lambda: state() not in ("queued", "running"))
    assert state() == "done"
