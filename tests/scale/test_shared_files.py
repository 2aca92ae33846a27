"""Repositories on GlusterFS, two nodes on different mounts: no stale read after an answer, and a brick may die.

`INGOT_TEST_ROUNDS` says how often each thing is done with all bricks, and with one of them dead.
"""

import os
import statistics
import threading
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from ingot.gitstore import locks, writers
from ingot.kit.db import Database
from tests.scale.changes import CHANGES
from tests.scale.checks import check_logs, check_promises, wait_for_the_queue
from tests.scale.cluster import Cluster, running_cluster
from tests.scale.doubled import doubled
from tests.scale.gluster import Volume, running_volume, why_not
from tests.scale.ledger import Ledger
from tests.scale.load import Client, Load, Thread, available, git
from tests.scale.progress import say
from tests.support.waiting import until

ROUNDS = int(os.environ.get("INGOT_TEST_ROUNDS", "10"))


class Pair:
    """Somebody who writes through one node and reads through the other at once, then the other way round."""

    def __init__(self, cluster: Cluster, ledger: Ledger, folder: Path) -> None:
        self._ledger, self._folder = ledger, folder
        self.sides = [Thread(Client([url], ledger), ledger, []) for url in cluster.urls]
        self.seconds: dict[str, list[float]] = defaultdict(list)
        project = self._call(0, "POST", "/projects", 201, json={"path": "shared", "initialize_with_readme": True})
        for side in self.sides:
            side.project = project
        self._base = f"/projects/{project['id']}"
        git(str(folder), "init", "-q", "-b", "work", "copy")

    def _call(self, side: int, method: str, path: str, status: int, **options: Any) -> Any:
        begun = time.monotonic()
        answer = self.sides[side].client.call("pair", method, path, **options)
        self.seconds[f"{method} {path.rsplit('/', maxsplit=1)[-1].partition('?')[0][:12]}"].append(
            time.monotonic() - begun
        )
        assert answer is not None, f"{method} {path} broke off"
        # What went wrong before may be the reason.
        assert answer.status_code == status, [*self._ledger.faults, f"{method} {path}: {answer.text[:300]}"]
        return answer.json()

    def play(self, number: int) -> None:
        """One round; each step reads what the other node has just answered for."""
        here, there = number % 2, 1 - number % 2
        name = f"round-{number}"
        body = {"branch": "main", "content": name, "commit_message": f"Add {name}"}
        self._call(here, "POST", f"{self._base}/repository/files/{name}.txt", 201, json=body)
        self._call(there, "GET", f"{self._base}/repository/files/{name}.txt?ref=main", 200)
        self._push(here, name)
        branch = self._call(there, "GET", f"{self._base}/repository/branches/{name}", 200)
        asked = {"source_branch": name, "target_branch": "main", "title": name, "remove_source_branch": True}
        opened = self._call(there, "POST", f"{self._base}/merge_requests", 201, json=asked)
        merged = self._call(there, "PUT", f"{self._base}/merge_requests/{opened['iid']}/merge", 200)
        self._call(here, "GET", f"{self._base}/repository/files/pushed-{name}?ref=main", 200)
        newest = self._call(here, "GET", f"{self._base}/repository/commits/main", 200)
        if newest["id"] != merged["merge_commit_sha"]:
            self._ledger.faults.append(f"{name}: main is {newest['id']}, was answered {merged['merge_commit_sha']}")
        self._call(here, "GET", f"{self._base}/repository/branches/{name}", 404)
        self._ledger.promise(f"{self._base}/repository/commits/{branch['commit']['id']}", id=branch["commit"]["id"])
        self.commit_at_once(number)
        if number % 3 == 2:
            # 409 says that the last packing still runs.
            self.sides[there].client.call("housekeeping", "POST", f"{self._base}/housekeeping")

    def commit_at_once(self, number: int) -> None:
        """Both nodes commit to the same branch at the same time; both commits stay, whichever came first."""
        sides = range(len(self.sides))
        names = [f"at-once-{number}-{side}" for side in sides]
        start = threading.Barrier(len(self.sides))

        def commit(side: int) -> str:
            body = {"branch": "main", "commit_message": f"Add {names[side]}"}
            actions = [{"action": "create", "file_path": f"{names[side]}.txt", "content": names[side]}]
            start.wait()
            path = f"{self._base}/repository/commits"
            return str(self._call(side, "POST", path, 201, json={**body, "actions": actions}).get("id"))

        with ThreadPoolExecutor(len(self.sides)) as threads:
            commits = list(threads.map(commit, sides))
        for side in sides:
            history = self._call(side, "GET", f"{self._base}/repository/commits?ref_name=main&per_page=100", 200)
            lost = [one for one in commits if one not in {commit["id"] for commit in history}]
            if lost:
                self._ledger.faults.append(f"node {side} lacks {lost} of {commits}")
            for name in names:
                self._call(side, "GET", f"{self._base}/repository/files/{name}.txt?ref=main", 200)
        for name in names:
            self._ledger.promise(f"{self._base}/repository/files/{name}.txt?ref=main", file_name=f"{name}.txt")

    def _push(self, side: int, name: str) -> None:
        """From what the other node says is newest, so that a stale answer shows as a push that loses commits."""
        copy, remotes = str(self._folder / "copy"), [one.remote() for one in self.sides]
        words = [
            ["fetch", "-q", remotes[1 - side], "main"],
            ["checkout", "-q", "-B", "work", "FETCH_HEAD"],
        ]
        for one in words:
            assert git(copy, *one).returncode == 0
        (Path(copy) / f"pushed-{name}").write_text(name)
        git(copy, "add", ".")
        git(copy, "commit", "-qm", name)
        begun = time.monotonic()
        pushed = git(copy, "push", "-q", remotes[side], f"work:refs/heads/{name}")
        self.seconds["push"].append(time.monotonic() - begun)
        if pushed.returncode != 0:
            self._ledger.faults.append(f"push {name}: {pushed.stderr.decode()}")

    def close(self) -> None:
        for side in self.sides:
            side.client.close()


def share(cluster: Cluster, volume: Volume, folder: Path, rounds: int, *, short: bool = False) -> dict[str, Any]:
    """With all bricks, then without each of them in turn, beside other callers; returns figures.

    The short form only commits, without other callers, and kills one brick.
    """
    ledger = Ledger()
    pair = Pair(cluster, ledger, folder)
    play = pair.commit_at_once if short else pair.play
    with Load(cluster.urls, ledger, [*available(cluster.urls), *CHANGES], threads=0 if short else 2):
        for number in range(rounds):
            play(number)
        say(f"{rounds} rounds, {ledger.acknowledged} promises, {len(ledger.faults)} faults")
        for which, brick in enumerate(volume.bricks[: 1 if short else None]):
            brick.kill()
            for number in range(rounds * (1 + which), rounds * (2 + which)):
                play(number)
            brick.start()
            say(f"{len(volume.unhealed())} entries to heal")
            volume.wait_until_healed()
            say(f"brick {which} is healed, {ledger.acknowledged} promises, {len(ledger.faults)} faults")
    pair.close()
    database = Database(cluster.database_url)
    wait_for_the_queue(database, limit=600.0)
    twice = doubled(database, cluster)
    database.dispose()
    assert ledger.faults == []
    assert twice == {}
    check_logs(cluster)
    check_promises(cluster, ledger.promises)
    assert cluster.doctor() == []
    until(volume.is_healed)
    assert volume.differences() == []
    return {
        "promises": ledger.acknowledged,
        "milliseconds": {
            name: [round(1000 * statistics.median(seconds)), round(1000 * max(seconds))]
            for name, seconds in pair.seconds.items()
            if len(seconds) >= rounds
        },
    }


@pytest.mark.skipif(why_not() != "", reason=why_not())
def test_locks_that_were_open_while_one_brick_was_away_are_taken_when_the_other_goes(tmp_path: Path) -> None:
    with running_volume(tmp_path / "volume") as volume:
        place = volume.mounts[0] / "1.git"
        place.mkdir()
        lock, inside = place.with_suffix(".lock"), place / writers.INSIDE
        with locks.lock(lock), writers.writing(place):
            volume.wait_until_healed()
            volume.bricks[0].kill()
            # A mount has such files open at the servers that were there.
            opened = [until(partial(_open_or_none, path)) for path in (lock, inside, place / writers.ENTRANCE)]
        volume.bricks[0].start()
        volume.wait_until_healed()
        volume.bricks[1].kill()

        with locks.lock(lock), writers.writing(place):
            (place / "written").write_text("x")
        assert not writers.is_sealed(place)
        for number in opened:
            os.close(number)


def _open_or_none(path: Path) -> int | None:
    try:
        return os.open(path, os.O_RDWR)
    except OSError:
        return None  # the mount has not noticed yet


@pytest.mark.postgres
@pytest.mark.skipif(why_not() != "", reason=why_not())
def test_a_brick_dies_and_two_nodes_go_on(tmp_path: Path) -> None:
    with (
        running_volume(tmp_path / "volume") as volume,
        running_cluster(tmp_path, workers=1, mounts=volume.mounts) as cluster,
    ):
        share(cluster, volume, tmp_path, rounds=1, short=True)


@pytest.mark.scale
@pytest.mark.postgres
@pytest.mark.skipif(why_not() != "", reason=why_not())
def test_two_nodes_on_one_distributed_file_system(tmp_path: Path) -> None:
    with (
        running_volume(tmp_path / "volume") as volume,
        running_cluster(tmp_path, mounts=volume.mounts) as cluster,
    ):
        print(share(cluster, volume, tmp_path, ROUNDS))  # noqa: T201
