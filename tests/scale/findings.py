"""What is wrong once a load has ended: what was lost, done twice, stuck or not told, and what no longer works."""

import base64
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from sqlalchemy import text

from ingot.kit.db import Database
from tests.scale.checks import broken_promises, wait_for_the_queue
from tests.scale.cluster import Cluster
from tests.scale.doubled import doubled
from tests.scale.ledger import GONE, Ledger
from tests.scale.load import Client, next_number
from tests.scale.progress import say
from tests.support.receiver import Receiver

QUEUE = 1800.0
FOLLOW_UP = 120.0  # it comes every 20 seconds, and looks at what is 20 seconds old
STUCK = {
    "merge requests": "SELECT id, state FROM merge_requests WHERE state NOT IN ('opened', 'merged', 'closed')",
    "pipelines": "SELECT p.id, p.status FROM pipelines p WHERE p.status NOT IN ('success', 'canceled')"
    " AND NOT EXISTS (SELECT 1 FROM ci_jobs j WHERE j.pipeline_id = p.id AND j.status NOT IN ('success', 'canceled'))",
    "imports": "SELECT id, project_id FROM project_imports WHERE NOT ended",
    "exports": "SELECT id, project_id, status FROM project_exports WHERE status NOT IN ('finished', 'failed')",
}


def findings(cluster: Cluster, database: Database, ledger: Ledger, receiver: Receiver) -> dict[str, list[str]]:
    """Every finding by kind; kinds without are left out. All parts run again, and nobody works any more."""
    # On GlusterFS a project of hundreds of branches is looked through for minutes.
    wait_for_the_queue(database, limit=QUEUE)
    say("the queue is empty")
    # First, because what is written meanwhile must be there as well.
    result = {"does not work any more": _unusable(cluster, ledger)}
    wait_for_the_queue(database, limit=QUEUE)
    result["answers"] = list(ledger.faults)
    result["lost"] = _lost(cluster, ledger)
    with database.read() as conn:
        for name, statement in STUCK.items():
            result[f"stuck {name}"] = [str(row) for row in conn.execute(text(statement))]
        undone = list(conn.execute(text("SELECT id, status FROM ci_jobs WHERE status NOT IN ('success', 'canceled')")))
    result["stuck jobs"] = [str(row) for row in undone if row.id in ledger.handed_out]
    if len(undone) > ledger.lost_job_answers:
        result["stuck jobs"].append(f"{len(undone)} undone, {ledger.lost_job_answers} answers broke off")
    result["hooks"] = _hooks(ledger, receiver)
    result |= doubled(database, cluster)
    result["doctor"] = cluster.doctor()
    return {name: found[:20] for name, found in result.items() if found}


def _lost(cluster: Cluster, ledger: Ledger) -> list[str]:
    """Promises that are not kept, also not once somebody has looked after pushes and merges that were broken off."""
    deadline = time.monotonic() + FOLLOW_UP
    broken = broken_promises(cluster, ledger.promises)
    while broken and time.monotonic() < deadline:
        say(f"waiting for {list(broken.values())[:3]}")
        time.sleep(5.0)
        broken = broken_promises(cluster, {path: ledger.promises[path] for path in broken})
    return list(broken.values())


def complaints(check: Callable[[], None]) -> list[str]:
    """What a check that raises has to say."""
    try:
        check()
    except AssertionError as error:
        return [str(error)[:4000]]
    return []


def _unusable(cluster: Cluster, ledger: Ledger) -> list[str]:
    """Projects in which nobody can commit or open an issue, now that nothing is down."""
    kept = [path for path, fields in ledger.snapshot().items() if path.startswith("/projects/") and fields != GONE]
    numbers = sorted({int(path.split("/")[2]) for path in kept})
    client = Client(cluster.urls, ledger)

    def complaint(number: int) -> str:
        name = f"afterwards-{next_number()}.txt"
        body = {"branch": "main", "content": name, "commit_message": f"Add {name}"}
        written = client.call("file", "POST", f"/projects/{number}/repository/files/{name}", json=body)
        if written is None or written.status_code != 201:
            return f"project {number}: {written.text[:200] if written is not None else 'broken off'}"
        content = base64.b64encode(name.encode()).decode()
        ledger.promise(f"/projects/{number}/repository/files/{name}?ref=main", content=content)
        opened = client.call("issue", "POST", f"/projects/{number}/issues", json={"title": name})
        if opened is None or opened.status_code != 201:
            return f"project {number}: {opened.text[:200] if opened is not None else 'broken off'}"
        ledger.expect_event(number, name, "open")
        return ""

    with ThreadPoolExecutor(2) as threads:
        result = [one for one in threads.map(complaint, numbers) if one]
    client.close()
    return result


def _hooks(ledger: Ledger, receiver: Receiver) -> list[str]:
    """Every acknowledged change of an issue was told to the hook of its project; what came twice has the same key."""
    keys: dict[tuple[str, str, str], set[str]] = {}
    for one in receiver.received():
        changed = one.body["object_attributes"]
        keys.setdefault((one.path, changed["title"], changed["action"]), set()).add(one.headers["Idempotency-Key"])
    result = [f"{mark} was told as {len(several)} events" for mark, several in keys.items() if len(several) > 1]
    told = {(int(path.split("/")[1]), title, action) for path, title, action in keys}
    return result + [f"{mark} was not told" for mark in sorted(ledger.events - told)]
