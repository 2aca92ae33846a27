"""Kills -9 over nodes, workers, git, the database and the store under mixed load: nothing is lost, doubled or stuck.

`INGOT_TEST_KILLS` says how many, `INGOT_TEST_KILL_SECONDS` after which time it is enough. The store is killed where a
real one is installed, and bricks where GlusterFS is, which then holds the repositories (`tests/scale/engines.py`).
"""

import json
import os
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.scale import engines
from tests.scale.cluster import running_cluster
from tests.scale.gluster import running_volume
from tests.scale.kills import Kills
from tests.scale.load import Load
from tests.scale.progress import choices, say
from tests.scale.story import SETTINGS, Story
from tests.scale.supervisor import supervised
from tests.support.receiver import running_receiver
from tests.support.waiting import until

KILLS = int(os.environ.get("INGOT_TEST_KILLS", "1000"))
SECONDS = float(os.environ.get("INGOT_TEST_KILL_SECONDS", "inf"))
AT_ONCE = (1, 1, 1, 2, 2, 3, 4)
# Each kind that is there, in a random order.
FEW = {
    "git": 3,
    "node": 1,
    "worker": 1,
    "busy worker": 1,
    "store": 1,
    "database session": 1,
    "database": 1,
}

Striking = Callable[[Kills, Story, Load], None]


def strike_many(struck: Kills, story: Story, _: Load) -> None:
    """At random, often one thing at a time, sometimes up to four at once."""
    choice = choices("moments of kills")
    begun, told, faults = time.monotonic(), 0, 0
    while struck.done.total() < KILLS and time.monotonic() < begun + SECONDS:
        for _ in range(choice.choice(AT_ONCE)):
            struck.strike(struck.choose())
        story.pause(choice)
        for fault in story.ledger.faults[faults:]:
            say(fault)
            faults += 1
        if struck.done.total() >= told + 20:
            told = struck.done.total()
            say(f"{told} kills, {story.ledger.acknowledged} promises, {len(story.ledger.faults)} faults")


def strike_few(struck: Kills, story: Story, load: Load) -> None:
    """Every kind at least once; the load goes on until everything was done once."""
    choice = choices("moments of kills")
    kinds = [kind for kind, times in FEW.items() for _ in range(times) if kind in struck.kinds]
    choice.shuffle(kinds)
    for kind in kinds:
        until(lambda one=kind: struck.strike(one))  # type: ignore[misc]
        say(f"killed: {kind}")
        story.pause(choice)
    until(lambda: load.has_tried_all() and not story.ledger.never_done())


def kill(folder: Path, strike: Striking, threads: int, *, short: bool = False) -> dict[str, Any]:
    """The story; returns figures and what is wrong. The short one keeps its repositories on the machine's own disk."""
    say(f"{engines.about_repositories()} {engines.about_store()}")
    has_volume = engines.has_gluster() and not short
    with ExitStack() as stack:
        receiver = stack.enter_context(running_receiver())
        volume = stack.enter_context(running_volume(folder / "volume")) if has_volume else None
        mounts = volume.mounts if volume is not None else None
        cluster = stack.enter_context(
            running_cluster(folder, takeover=5.0, settings=SETTINGS, mounts=mounts, store=engines.store(), forked=short)
        )
        story = Story(cluster, receiver)
        stack.callback(story.close)
        struck = Kills(cluster, story.ledger, choices("kills"), volume)
        begun = time.monotonic()
        with supervised(cluster), story.working(threads) as load:
            strike(struck, story, load)
            struck.wait()
        seconds = time.monotonic() - begun
        wrong = story.findings()
        if struck.not_ready:
            wrong["never ready again"] = struck.not_ready
        figures = {
            "kills": dict(struck.done),
            "never hit": struck.not_hit(),
            "seconds": round(seconds),
            "answers": dict(sorted(story.ledger.answers.items())),
            "promises": story.ledger.acknowledged,
            "jobs handed out": len(story.ledger.handed_out),
            "answers to runners that broke off": story.ledger.lost_job_answers,
            "takeovers": story.takeovers(),
            "given up": story.given_up(),
            "wrong": wrong,
        }
        say(json.dumps({name: str(value) for name, value in figures.items()}, indent=1))
        return figures


# Connections break while a call is under way, and nobody closes them.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning")
@pytest.mark.postgres
def test_a_few_kills_of_every_kind(tmp_path: Path) -> None:
    figures = kill(tmp_path, strike_few, threads=2, short=True)

    assert figures["wrong"] == {}
    assert figures["never hit"] == []
    assert figures["takeovers"] >= 1


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning")
@pytest.mark.scale
@pytest.mark.postgres
def test_many_kills(tmp_path: Path) -> None:
    figures = kill(tmp_path, strike_many, threads=4)

    assert figures["wrong"] == {}
    assert figures["never hit"] == []
    assert sum(figures["kills"].values()) >= KILLS or figures["seconds"] >= SECONDS
