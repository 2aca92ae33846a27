"""What must hold once nobody writes any more: work has ended, promises are kept, nothing failed in silence."""

import hashlib
import json
import re
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
from sqlalchemy import and_, or_, select, update

from ingot.kit.clock import now
from ingot.kit.db import Database
from ingot.kit.jobs.tables import QUEUED, jobs
from tests.scale import worker as steps
from tests.scale.cluster import TOKEN, Cluster
from tests.scale.ledger import GONE, Promises

HURRY = 3.0


def wait_for_the_queue(database: Database, limit: float = 120.0) -> None:
    """Until all work has ended; the pauses of what had a fault are cut short, for nothing is down any more."""
    # Refs of ended pipelines are let go much later.
    not_periodic = and_(jobs.c.key.not_like("periodic:%"), jobs.c.kind != "pipelines.unpin")
    deadline, hurried = time.monotonic() + limit, time.monotonic()
    while True:
        with database.read() as tx:
            left = tx.execute(select(jobs.c.key, jobs.c.state).where(jobs.c.ended_at.is_(None), not_periodic)).all()
        if not left:
            return
        assert time.monotonic() < deadline, f"jobs that did not end: {left[:10]}"
        if time.monotonic() > hurried + HURRY:
            hurried = time.monotonic()
            _hurry(database)
        time.sleep(0.2)


def _hurry(database: Database) -> None:
    was_broken_off = or_(jobs.c.faults > 0, jobs.c.takeovers > 0)
    postponed = (jobs.c.state == QUEUED, was_broken_off, jobs.c.run_after > now())
    with database.write() as tx:
        tx.execute(update(jobs).where(*postponed).values(run_after=now()))


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


def check_promises(cluster: Cluster, promises: Promises) -> None:
    """Every acknowledged write is what any node answers with, and what was removed has not come back."""
    broken = broken_promises(cluster, promises)
    assert not broken, "\n".join(broken.values())  # all of them, which a comparison would not show


def broken_promises(cluster: Cluster, promises: Promises) -> dict[str, str]:
    """Paths that do not show what was promised, and what they show."""
    listed = list(promises.items())
    with (
        httpx.Client(headers={"PRIVATE-TOKEN": TOKEN}, timeout=120, trust_env=False) as http,
        ThreadPoolExecutor(4) as threads,
    ):

        def complaint(number: int) -> str:
            path, fields = listed[number]
            address = path[1:] if path.startswith("//") else f"/api/v4{path}"
            answer = http.get(f"{cluster.urls[number % len(cluster.urls)]}{address}")
            result = _found(answer)
            is_kept = all(result.get(name) == value for name, value in fields.items())
            if is_kept:
                return ""
            shown = {name: result.get(name) for name in fields} if answer.status_code == 200 else answer.text[:200]
            return f"{path} {fields}: {answer.status_code} {shown}"

        complaints = threads.map(complaint, range(len(listed)))
        return {path: one for (path, _), one in zip(listed, complaints, strict=True) if one}


def _found(answer: httpx.Response) -> dict[str, Any]:
    """What a read shows: a record, the digest of a file, or nothing."""
    if answer.status_code == 404:
        return GONE
    if answer.status_code != 200:
        return {}
    if answer.headers["content-type"] != "application/json":
        return {"sha256": hashlib.sha256(answer.content).hexdigest()}
    result: dict[str, Any] = answer.json()
    return result


def check_steps(database: Database) -> None:
    """Every job ended well, each of its steps was done once."""
    with database.read() as tx:
        rows_of_jobs = tx.execute(select(jobs.c.key, jobs.c.state).where(jobs.c.kind == steps.KIND))
        ended = {row.key: row.state for row in rows_of_jobs}
        rows = Counter((row.key, row.step) for row in tx.execute(select(steps.traces)))
    assert {key: state for key, state in ended.items() if state != "done"} == {}
    assert {mark: times for mark, times in rows.items() if times != 1} == {}
    assert len(rows) == len(ended) * steps.STEPS
