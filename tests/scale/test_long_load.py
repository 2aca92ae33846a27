"""A mixed load on two nodes, without faults: no server error, no growing memory, no file left over.

`INGOT_TEST_LOAD_SECONDS` says for how long. A backup is taken meanwhile, and restored to other engines: all that was
acknowledged before it is there.
"""

import json
import os
import time
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any

import pytest

from ingot.kit.db import Database
from tests.scale import engines
from tests.scale.changes import CHANGES
from tests.scale.checks import check_logs, check_promises, wait_for_the_queue
from tests.scale.cluster import Cluster, running_cluster
from tests.scale.findings import QUEUE, complaints, findings
from tests.scale.footprint import Footprint, Growth, orphaned, wait_until_nothing_is_left
from tests.scale.ledger import Ledger, Promises, unchanged
from tests.scale.load import Load, available
from tests.scale.more_load import over_ssh, push_large_file, read_much, run_pipeline, visit_pages, with_hook
from tests.scale.progress import say
from tests.scale.story import finish_pipelines, permit_local_hooks
from tests.support.receiver import Receiver, running_receiver
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
    return {"TMPDIR": str(passing), "INGOT_JOB_REQUEST_WAIT": "0", "INGOT_SSH": "on"}


def load(
    cluster: Cluster,
    receiver: Receiver,
    seconds: float,
    halfway: Callable[[Ledger, Database], None],
    withheld: AbstractSet[str] = frozenset(),
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The load; returns figures, and what is wrong. `withheld` are objects that the sweep deletes a day later."""
    ledger = Ledger()
    database = Database(cluster.database_url)
    permit_local_hooks(cluster)
    actions = [*available(cluster.urls), run_pipeline, with_hook(receiver.url), push_large_file]
    actions += [over_ssh(cluster, cluster.folder), *CHANGES, visit_pages, read_much]
    begun = time.monotonic()
    with Footprint(cluster, seconds) as footprint, Load(cluster.urls, ledger, actions, threads=2):
        _wait(ledger, begun + seconds / 2)
        halfway(ledger, database)
        _wait(ledger, begun + seconds)
        growth = footprint.growth()
    figures: dict[str, Any] = {
        "seconds": round(time.monotonic() - begun),
        "answers": dict(sorted(ledger.answers.items())),
        "promises": ledger.acknowledged,
        "growth": growth,
    }
    # At once: whatever is found later, these figures of an hour are known.
    say(json.dumps({name: str(value) for name, value in figures.items()}, indent=1))
    finish_pipelines(cluster, ledger)
    wrong: dict[str, Any] = dict(findings(cluster, database, ledger, receiver))
    wrong["grown"] = {name: one for name, one in growth.items() if has_grown(one)}
    wrong["refused"] = {key: said for key, said in ledger.refusals.items() if key[1] not in EXPECTED.get(key[0], ())}
    wrong["logs"] = complaints(lambda: check_logs(cluster))
    wrong["left over"] = wait_until_nothing_is_left(cluster, database, limit=60.0, besides=withheld)
    database.dispose()
    return figures, {name: found for name, found in wrong.items() if found}


def has_grown(one: Growth) -> bool:
    """Whether a process holds more at the end than at the beginning."""
    return one.late.megabytes > GROWTH * one.early.megabytes or one.late.files > one.early.files + SPARE_FILES


def _wait(ledger: Ledger, moment: float) -> None:
    told = time.monotonic()
    while time.monotonic() < moment:
        time.sleep(min(1.0, max(0.0, moment - time.monotonic())))
        if time.monotonic() > told + 60:
            told = time.monotonic()
            say(f"{ledger.acknowledged} promises, {len(ledger.faults)} faults")


@pytest.mark.postgres
def test_a_short_load_leaves_nothing_behind(tmp_path: Path) -> None:
    def have_enough(ledger: Ledger, _: Database) -> None:
        # The last of the actions, so that each was done.
        until(lambda: ledger.answers["clone", 200] > 0)

    with (
        running_receiver() as receiver,
        running_cluster(tmp_path, workers=1, settings=settings(tmp_path)) as cluster,
    ):
        _, wrong = load(cluster, receiver, 3.0, have_enough)

    assert wrong == {}


@pytest.mark.scale
@pytest.mark.postgres
def test_a_long_load(tmp_path: Path) -> None:
    kept: Promises = {}
    withheld: set[str] = set()
    copy = tmp_path / "copy"

    say(engines.about_store())
    with running_receiver() as receiver:
        first = tmp_path / "first"
        first.mkdir()
        with running_cluster(first, settings=settings(first), store=engines.store()) as cluster:

            def back_up(ledger: Ledger, database: Database) -> None:
                promised = ledger.snapshot()
                before = set(orphaned(cluster, database))
                taken = cluster.ingot("backup", str(copy))
                assert taken.returncode == 0, taken.stderr
                # No process deletes an object while a backup copies; what was told to meanwhile waits for the sweep.
                withheld.update(set(orphaned(cluster, database)) - before)
                # Of what was changed or removed meanwhile the backup may have either.
                kept.update(unchanged(promised, ledger.snapshot()))
                say(f"backed up after {len(promised)} promises, of which {len(kept)} were kept meanwhile")

            figures, wrong = load(cluster, receiver, SECONDS, back_up, withheld)
            say(f"wrong: {wrong}; {len(withheld)} objects wait for the sweep since the backup")

        def restore(empty: Cluster) -> None:
            done = empty.ingot("restore", str(copy))
            assert done.returncode == 0, done.stderr

        second = tmp_path / "second"
        second.mkdir()
        with running_cluster(second, settings=settings(second), before_start=restore, store=engines.store()) as other:
            database = Database(other.database_url)
            wait_for_the_queue(database, limit=QUEUE)
            database.dispose()
            restored = complaints(lambda: check_promises(other, kept)) + other.doctor()
            say(f"restored: {restored}")

    if not figures["growth"]:
        say(f"{SECONDS:.0f} seconds are too few to judge growth")
    assert wrong == {}
    assert restored == []
