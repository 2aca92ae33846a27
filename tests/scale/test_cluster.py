"""Two API nodes, two workers, PostgreSQL and S3 as processes: parts of it die, no acknowledged work is lost."""

import hashlib
import json
import re
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import and_, func, select

from ingot.kit.db import Database
from ingot.kit.jobs import enqueue, measure, registry
from ingot.kit.jobs.tables import jobs, workers
from tests import s3_server
from tests.scale import engines
from tests.scale import worker as steps
from tests.scale.cluster import PATIENCE, TOKEN, Cluster, running_cluster
from tests.scale.doubled import doubled
from tests.scale.ledger import Ledger
from tests.scale.load import Load, available
from tests.support.silence import be_silent_for_long


def play(cluster: Cluster, seconds: float, threads: int) -> dict[str, Any]:
    """The whole story; returns figures. Raises when a promise was broken."""
    ledger = Ledger()
    database = Database(cluster.database_url)
    steps.traces.metadata.create_all(database.writer)
    with Load(cluster.urls, ledger, available(cluster.urls), threads):
        _pause(database, seconds * 0.25)
        with ledger.outage():
            cluster.nodes[0].kill()
            _pause(database, seconds * 0.1)
            cluster.nodes[0].start()
            cluster.wait_ready(0)
        _pause(database, seconds * 0.15)
        taken = _kill_busy_worker(cluster, database)
        _pause(database, seconds * 0.25)
        with ledger.outage():
            cluster.postgres.stop()
            cluster.postgres.start()
            for number in range(len(cluster.nodes)):
                cluster.wait_ready(number)
        cluster.workers[0].start()
        if not s3_server.is_test_server(cluster.store):
            with ledger.outage():
                cluster.s3.kill()
                cluster.s3.start()
                s3_server.wait_until_it_listens(cluster.s3_port, time.monotonic() + PATIENCE)
        _pause(database, seconds * 0.25)
    wait_for_the_queue(database)
    assert ledger.faults == []
    check_logs(cluster)
    check_promises(cluster, ledger.acknowledged)
    _check_steps(database)
    assert doubled(database, cluster) == {}
    with database.read() as tx:
        figures = measure(tx)
    assert figures.total("takeover") == taken
    database.dispose()
    return {
        "answers": dict(ledger.answers),
        "promises": len(ledger.acknowledged),
        "jobs": figures.total("done"),
        "takeovers": taken,
    }


_queued = 0


def _pause(database: Database, seconds: float) -> None:
    """Let time pass, queueing work meanwhile."""
    global _queued  # noqa: PLW0603 - keys are counted over the whole run
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        _queued += 1
        with database.write() as tx:
            enqueue(tx, steps.KIND, key=f"steps-{_queued}")
        time.sleep(0.15)


def _kill_busy_worker(cluster: Cluster, database: Database) -> int:
    """Kill the first worker while it has jobs in hand; returns how many."""
    pid = cluster.workers[0].popen.pid
    held = (
        select(func.count()).select_from(jobs.join(workers, workers.c.id == jobs.c.worker)).where(workers.c.pid == pid)
    )
    deadline = time.monotonic() + 120
    while True:
        assert time.monotonic() < deadline, "the worker never had a job"
        _pause(database, 0.1)
        with database.read() as tx:
            if tx.execute(held).scalar_one() > 0:
                break
    cluster.workers[0].kill()
    # What it still holds now that it is dead is what must be taken over.
    with database.read() as tx:
        number: int = tx.execute(held).scalar_one()
    be_silent_for_long(database, pid)
    return number


def wait_for_the_queue(database: Database, limit: float = 120.0) -> None:
    deadline = time.monotonic() + limit
    # Refs of ended pipelines are let go much later.
    not_periodic = and_(jobs.c.key.not_like("periodic:%"), jobs.c.kind != "pipelines.unpin")
    while True:
        with database.read() as tx:
            left = tx.execute(select(jobs.c.key, jobs.c.state).where(jobs.c.ended_at.is_(None), not_periodic)).all()
        if not left:
            return
        assert time.monotonic() < deadline, f"jobs that did not end: {left[:10]}"
        time.sleep(0.2)


def check_logs(cluster: Cluster) -> None:
    """Nothing failed behind an answer that said that all was well; only the database's absence may be complained of."""
    complaints = []
    for process in (*cluster.nodes, *cluster.workers):
        for line in process.output.splitlines():
            entry = json.loads(line) if line.startswith("{") else {}
            is_about_the_database = re.search(r"OperationalError|InterfaceError|AdminShutdown", line) is not None
            if entry.get("level") == "error" and not is_about_the_database:
                complaints.append(f"{entry['message']} {entry.get('trace', '')[-600:]}")
    assert complaints[:3] == []


def check_promises(cluster: Cluster, promises: list[tuple[str, dict[str, Any]]]) -> None:
    """Every acknowledged write is what any node answers with."""
    with (
        httpx.Client(headers={"PRIVATE-TOKEN": TOKEN}, timeout=120, trust_env=False) as http,
        ThreadPoolExecutor(4) as threads,
    ):

        def complaint(number: int) -> str:
            path, fields = promises[number]
            address = path[1:] if path.startswith("//") else f"/api/v4{path}"
            answer = http.get(f"{cluster.urls[number % len(cluster.urls)]}{address}")
            result = _found(answer)
            is_kept = all(result.get(name) == value for name, value in fields.items())
            if is_kept:
                return ""
            shown = {name: result.get(name) for name in fields} if result else answer.text[:200]
            return f"{path} {fields}: {answer.status_code} {shown}"

        broken = [one for one in threads.map(complaint, range(len(promises))) if one]
    assert not broken, "\n".join(broken)  # all of them, which a comparison would not show


def _found(answer: httpx.Response) -> dict[str, Any]:
    """What a read shows: a record, or the digest of a file."""
    if answer.status_code != 200:
        return {}
    if answer.headers["content-type"] != "application/json":
        return {"sha256": hashlib.sha256(answer.content).hexdigest()}
    result: dict[str, Any] = answer.json()
    return result


def _check_steps(database: Database) -> None:
    """Every job ended well, each of its steps was done once."""
    with database.read() as tx:
        rows_of_jobs = tx.execute(select(jobs.c.key, jobs.c.state).where(jobs.c.kind == steps.KIND))
        ended = {row.key: row.state for row in rows_of_jobs}
        rows = Counter((row.key, row.step) for row in tx.execute(select(steps.traces)))
    assert {key: state for key, state in ended.items() if state != "done"} == {}
    assert {mark: times for mark, times in rows.items() if times != 1} == {}
    assert len(rows) == len(ended) * steps.STEPS


@pytest.mark.postgres
def test_a_short_story_of_failures(tmp_path: Path) -> None:
    with running_cluster(tmp_path, takeover=30.0, store=engines.store()) as cluster:
        figures = play(cluster, seconds=4.0, threads=2)

    assert figures["promises"] > 10, figures
    assert figures["takeovers"] >= 1


@pytest.mark.scale
def test_a_minute_of_failures(tmp_path: Path) -> None:
    with running_cluster(tmp_path, takeover=30.0, store=engines.store()) as cluster:
        figures = play(cluster, seconds=60.0, threads=6)

    print(figures)  # noqa: T201 - the figures are the point of the long form
    assert figures["promises"] > 100
    assert figures["takeovers"] >= 1


assert registry.find_kind(steps.KIND) is not None
