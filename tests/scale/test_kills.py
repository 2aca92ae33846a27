"""Kills -9 over nodes, workers, git, the database and the store under mixed load: nothing is lost, doubled or stuck.

`INGOT_TEST_KILLS` says how many, `INGOT_TEST_KILL_SECONDS` after which time it is enough. The store is killed where a
real one is installed, and bricks where GlusterFS is, which then holds the repositories (`tests/scale/engines.py`).
"""

import json
import os
import random
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from ingot.kit.db import Database
from ingot.kit.jobs import enqueue
from tests.scale import engines
from tests.scale import worker as steps
from tests.scale.cluster import TOKEN, Cluster, running_cluster
from tests.scale.findings import complaints, findings
from tests.scale.gluster import Volume, running_volume
from tests.scale.kills import Kills
from tests.scale.ledger import Ledger
from tests.scale.load import Client, Load, Thread, available
from tests.scale.more_load import do_a_job, over_ssh, push_large_file, run_pipeline, with_hook
from tests.scale.progress import choices, say
from tests.scale.test_cluster import _check_steps
from tests.support import plain_http
from tests.support.receiver import Receiver, running_receiver
from tests.support.waiting import until

KILLS = int(os.environ.get("INGOT_TEST_KILLS", "1000"))
SECONDS = float(os.environ.get("INGOT_TEST_KILL_SECONDS", "inf"))
PAUSE = 0.6
AT_ONCE = (1, 1, 1, 2, 2, 3, 4)
SETTINGS = {"INGOT_JOB_REQUEST_WAIT": "0", "INGOT_SSH": "on"}
# What callers are told of work that has not ended, or that a call did whose answer was lost.
EXPECTED = {
    "download": (404,),
    "ci file": (400,),
    "log": (416,),
    "artifacts": (400,),
    "job end": (403,),
}


def kill_often(cluster: Cluster, receiver: Receiver, kills: int, volume: Volume | None) -> dict[str, Any]:
    """The story; returns figures and what is wrong."""
    ledger = Ledger()
    database = Database(cluster.database_url)
    steps.traces.metadata.create_all(database.writer)
    choice = choices("kills")
    struck = Kills(cluster, ledger, choice, volume)
    permit_local_hooks(cluster)
    actions = [*available(cluster.urls), run_pipeline, with_hook(receiver.url), push_large_file]
    actions.append(over_ssh(cluster, cluster.folder))
    begun = time.monotonic()
    ended = threading.Event()
    queueing = threading.Thread(target=_queue_steps, args=(database, ended), daemon=True)
    queueing.start()
    with Load(cluster.urls, ledger, actions, threads=4):
        told, faults = 0, 0
        while struck.done.total() < kills and time.monotonic() < begun + SECONDS:
            # Often one thing at a time, sometimes up to four at once.
            for _ in range(choice.choice(AT_ONCE)):
                struck.strike()
            _pause(ledger, choice)
            for fault in ledger.faults[faults:]:
                say(fault)
                faults += 1
            if struck.done.total() >= told + 20:
                told = struck.done.total()
                say(f"{told} kills, {len(ledger.acknowledged)} promises, {len(ledger.faults)} faults")
        ended.set()
        struck.wait()
    queueing.join()
    seconds = time.monotonic() - begun
    for number in range(len(cluster.nodes)):
        cluster.wait_ready(number)
    finish_pipelines(cluster, ledger)
    wrong = findings(cluster, database, ledger, receiver)
    wrong |= {
        name: found
        for name, found in {
            "never ready again": list(struck.not_ready),
            "steps": complaints(lambda: _check_steps(database)),
            "never done": ledger.never_done(),
            "refused": [
                f"{key}: {said}" for key, said in ledger.refusals.items() if key[1] not in EXPECTED.get(key[0], ())
            ],
        }.items()
        if found
    }
    given_up = _given_up(database)
    database.dispose()
    return {
        "kills": dict(struck.done),
        "never hit": struck.not_hit(),
        "seconds": round(seconds),
        "answers": dict(sorted(ledger.answers.items())),
        "promises": len(ledger.acknowledged),
        "jobs handed out": len(ledger.handed_out),
        "answers to runners that broke off": ledger.lost_job_answers,
        "given up": given_up,
        "wrong": wrong,
    }


def _given_up(database: Database) -> list[str]:
    """Background work that failed for good, and why."""
    statement = "SELECT key, faults, takeovers, error FROM background_jobs WHERE state = 'failed' ORDER BY id"
    with database.read() as conn:
        return [str(tuple(row)) for row in conn.execute(text(statement))]


def _pause(ledger: Ledger, choice: random.Random) -> None:
    """A random moment later, and with something done in between: on a slow machine all would only start for ever."""
    before = len(ledger.acknowledged)
    time.sleep(choice.uniform(0, 2 * PAUSE))
    patience = time.monotonic() + 20.0
    while len(ledger.acknowledged) < before + 2 and time.monotonic() < patience:
        time.sleep(0.05)


def permit_local_hooks(cluster: Cluster) -> None:
    """Hooks to this machine, and exports and imports as fast as they come."""
    changed = plain_http.put(
        f"{cluster.urls[0]}/api/v4/application/settings",
        headers={"PRIVATE-TOKEN": TOKEN},
        json={
            "allow_local_requests_from_web_hooks_and_services": True,
            "project_export_limit": 0,
            "project_import_limit": 0,
            "project_download_export_limit": 0,
        },
    )
    assert changed.status_code == 200, changed.text


def _queue_steps(database: Database, ended: threading.Event) -> None:
    number = 0
    while not ended.wait(1.0):
        number += 1
        try:
            with database.write() as tx:
                enqueue(tx, steps.KIND, key=f"steps-{number}")
        except SQLAlchemyError:
            pass  # the database is away


def finish_pipelines(cluster: Cluster, ledger: Ledger) -> None:
    """Do what jobs are left."""
    runner = Thread(Client(cluster.urls, ledger), ledger, [])
    until(lambda: not do_a_job(runner))
    runner.client.close()


@pytest.mark.scale
@pytest.mark.postgres
# Connections break while a call is under way, and nobody closes them.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning")
def test_many_kills(tmp_path: Path) -> None:
    with ExitStack() as stack:
        receiver = stack.enter_context(running_receiver())
        say(f"{engines.about_repositories()} {engines.about_store()}")
        volume = stack.enter_context(running_volume(tmp_path / "volume")) if engines.has_gluster() else None
        mounts = volume.mounts if volume is not None else None
        cluster = stack.enter_context(
            running_cluster(tmp_path, takeover=5.0, settings=SETTINGS, mounts=mounts, store=engines.store())
        )
        figures = kill_often(cluster, receiver, KILLS, volume)

    print(json.dumps({name: str(value) for name, value in figures.items()}, indent=1))  # noqa: T201
    assert figures["wrong"] == {}
    assert figures["never hit"] == []
    assert sum(figures["kills"].values()) >= KILLS or figures["seconds"] >= SECONDS
