"""A mixed load on two nodes, without faults: no server error, no growing memory, no file left over.

`INGOT_TEST_LOAD_SECONDS` says for how long. A backup is taken meanwhile, and restored to other engines: all that was
acknowledged before it is there.
"""

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ingot.kit.db import Database
from tests.scale import engines
from tests.scale.cluster import Cluster, running_cluster
from tests.scale.doubled import doubled
from tests.scale.footprint import Footprint, wait_until_nothing_is_left
from tests.scale.kills import say
from tests.scale.ledger import Ledger
from tests.scale.load import Load, available
from tests.scale.more_load import read_much, run_pipeline, with_hook
from tests.scale.test_cluster import check_logs, check_promises, wait_for_the_queue
from tests.scale.test_kills import finish_pipelines, permit_local_hooks
from tests.support.receiver import running_receiver
from tests.support.waiting import until

SECONDS = float(os.environ.get("INGOT_TEST_LOAD_SECONDS", "3600"))
GROWTH = 1.1
SPARE_FILES = 20  # connections come and go
# What callers of this load are told without any fault: an export that has not ended yet cannot be downloaded.
EXPECTED = {"download": (404,)}


def settings(folder: Path) -> dict[str, str]:
    """Nodes and workers have a folder for passing files of their own, so that what stays there is theirs."""
    passing = folder / "passing"
    passing.mkdir()
    return {"TMPDIR": str(passing), "INGOT_JOB_REQUEST_WAIT": "0"}


def load(cluster: Cluster, receiver: str, seconds: float, halfway: Callable[[Ledger], None]) -> dict[str, Any]:
    """The load, and what became of it."""
    ledger = Ledger()
    database = Database(cluster.database_url)
    permit_local_hooks(cluster)
    actions = [*available(cluster.urls), run_pipeline, with_hook(receiver), read_much]
    begun = time.monotonic()
    with Footprint(cluster, seconds) as footprint, Load(cluster.urls, ledger, actions, threads=2):
        _wait(ledger, begun + seconds / 2)
        halfway(ledger)
        _wait(ledger, begun + seconds)
        growth = footprint.growth()
    finish_pipelines(cluster, ledger)
    wait_for_the_queue(database, limit=1800.0)
    twice = doubled(database, cluster)
    database.dispose()
    say("the load has ended")
    assert ledger.faults == []
    refusals = {key: text for key, text in ledger.refusals.items() if key[1] not in EXPECTED.get(key[0], ())}
    assert refusals == {}
    check_logs(cluster)
    check_promises(cluster, ledger.acknowledged)
    assert twice == {}
    assert wait_until_nothing_is_left(cluster, limit=60.0) == []
    assert cluster.doctor() == []
    return {
        "seconds": round(time.monotonic() - begun),
        "answers": dict(sorted(ledger.answers.items())),
        "promises": len(ledger.acknowledged),
        "growth": growth,
    }


def _wait(ledger: Ledger, moment: float) -> None:
    told = time.monotonic()
    while time.monotonic() < moment:
        time.sleep(min(1.0, max(0.0, moment - time.monotonic())))
        if time.monotonic() > told + 60:
            told = time.monotonic()
            say(f"{len(ledger.acknowledged)} promises, {len(ledger.faults)} faults")


@pytest.mark.postgres
def test_a_short_load_leaves_nothing_behind(tmp_path: Path) -> None:
    def have_enough(ledger: Ledger) -> None:
        until(lambda: len(ledger.acknowledged) > 10)

    with (
        running_receiver() as receiver,
        running_cluster(tmp_path, workers=1, settings=settings(tmp_path)) as cluster,
    ):
        load(cluster, receiver.url, 3.0, have_enough)


@pytest.mark.scale
@pytest.mark.postgres
def test_a_long_load(tmp_path: Path) -> None:
    promised: list[tuple[str, dict[str, Any]]] = []
    copy = tmp_path / "copy"

    say(engines.about_store())
    with running_receiver() as receiver:
        first = tmp_path / "first"
        first.mkdir()
        with running_cluster(first, settings=settings(first), store=engines.store()) as cluster:

            def back_up(ledger: Ledger) -> None:
                promised[:] = ledger.acknowledged
                taken = cluster.ingot("backup", str(copy))
                assert taken.returncode == 0, taken.stderr
                say(f"backed up after {len(promised)} promises, at the end {len(ledger.acknowledged)}")

            figures = load(cluster, receiver.url, SECONDS, back_up)

        def restore(empty: Cluster) -> None:
            restored = empty.ingot("restore", str(copy))
            assert restored.returncode == 0, restored.stderr

        second = tmp_path / "second"
        second.mkdir()
        with running_cluster(second, settings=settings(second), before_start=restore, store=engines.store()) as other:
            database = Database(other.database_url)
            wait_for_the_queue(database, limit=1800.0)
            database.dispose()
            check_promises(other, promised)
            assert other.doctor() == []

    print(json.dumps({name: str(value) for name, value in figures.items()}, indent=1))  # noqa: T201
    if not figures["growth"]:
        say(f"{SECONDS:.0f} seconds are too few to judge growth")
    grown = {
        name: one
        for name, one in figures["growth"].items()
        if one.late.megabytes > GROWTH * one.early.megabytes or one.late.files > one.early.files + SPARE_FILES
    }
    assert grown == {}
