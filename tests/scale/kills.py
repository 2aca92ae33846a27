"""Kills -9 at random moments, and the start of what was killed. Until it is ready, callers may meet 502 and 503."""

import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import nullcontext, suppress
from pathlib import Path

import psycopg

from tests import s3_server
from tests.scale.cluster import Cluster
from tests.scale.gluster import Volume
from tests.scale.ledger import Ledger
from tests.support import plain_http
from tests.support.processor_time import children

PATIENCE = 180.0
# How often each is chosen. A restart of the database stops everybody, so that it is rare.
WEIGHTS = {
    "git": 48,
    "node": 12,
    "worker": 8,
    "busy worker": 8,
    "store": 10,
    "database session": 8,
    "database": 6,
    "brick": 8,
}
HELD = "SELECT w.pid FROM background_workers w JOIN background_jobs j ON j.worker = w.id WHERE j.state = 'running'"


class Kills:
    """Chooses and kills; nodes and workers have a supervisor, the rest it starts again.

    One thread calls it; each restart is watched by a thread of its own.
    """

    def __init__(self, cluster: Cluster, ledger: Ledger, choice: random.Random, volume: Volume | None = None) -> None:
        self._cluster, self._ledger, self._choice, self._volume = cluster, ledger, choice, volume
        self._down: set[str] = set()
        self._watchers: list[threading.Thread] = []
        missing = {"store": s3_server.is_test_server(cluster.store), "brick": volume is None}
        self.kinds = [kind for kind in WEIGHTS if not missing.get(kind)]
        self.done: Counter[str] = Counter()
        self.not_ready: list[str] = []

    def choose(self) -> str:
        """A kind; every second is one that was not hit yet."""
        kinds = self.kinds if self._choice.random() < 0.5 else self.not_hit() or self.kinds
        return self._choice.choices(kinds, [WEIGHTS[kind] for kind in kinds])[0]

    def strike(self, kind: str) -> bool:
        """Kill one of this kind; False if none is there."""
        ways: dict[str, Callable[[], bool]] = {
            "git": self._git,
            "node": self._node,
            "worker": self._worker,
            "busy worker": self._busy_worker,
            "store": self._store,
            "database session": self._session,
            "database": self._database,
            "brick": self._brick,
        }
        is_hit = ways[kind]()
        self.done[kind] += is_hit
        return is_hit

    def not_hit(self) -> list[str]:
        """The kinds that are there and were never killed."""
        return [kind for kind in self.kinds if not self.done[kind]]

    def wait(self) -> None:
        """Until everything runs again."""
        for watcher in self._watchers:
            watcher.join(PATIENCE + 30)

    def _node(self) -> bool:
        number = self._choice.randrange(len(self._cluster.nodes))
        process = self._cluster.nodes[number]
        return self._watch(f"node {number}", process.kill, lambda: None, lambda: self._is_ready(number))

    def _worker(self) -> bool:
        """Nothing is asked of a worker, so it may be hit while it starts."""
        self._choice.choice(self._cluster.workers).kill()
        return True

    def _busy_worker(self) -> bool:
        """One with jobs in hand, which others take over."""
        try:
            with psycopg.connect(self._cluster.database_url, connect_timeout=5) as connection:
                busy = {pid for (pid,) in connection.execute(HELD)}
        except psycopg.Error:
            return False  # the database is away
        found = [process for process in self._cluster.workers if process.popen.pid in busy]
        if found:
            self._choice.choice(found).kill()
        return bool(found)

    def _store(self) -> bool:
        def listens() -> bool:
            s3_server.wait_until_it_listens(self._cluster.s3_port, time.monotonic())
            return True

        store = self._cluster.s3
        return self._watch("store", store.kill, store.start, listens)

    def _brick(self) -> bool:
        """One of two, and the other only when this one has everything again: nobody may notice."""
        if self._volume is None:
            return False
        brick = self._choice.choice(self._volume.bricks)
        return self._watch("brick", brick.kill, brick.start, self._volume.is_healed, may_be_noticed=False)

    def _database(self) -> bool:
        postgres = self._cluster.postgres
        return self._watch("database", postgres.kill, postgres.start, self._answers)

    def _session(self) -> bool:
        """One session of a client. PostgreSQL then ends all others, and recovers."""
        if "database" in self._down:
            return False
        found = [pid for pid in children(self._cluster.postgres.pid) if " ingot " in _words(pid)]
        if not found:
            return False
        pid = self._choice.choice(found)
        return self._watch("database", lambda: os.kill(pid, signal.SIGKILL), lambda: None, self._answers)

    def _git(self) -> bool:
        """A git process of any node or worker, which may be about to write."""
        parents = [process.popen.pid for process in (*self._cluster.nodes, *self._cluster.workers)]
        deadline = time.monotonic() + 2.0
        while time.monotonic() < deadline:
            found = [pid for parent in parents for pid in _descendants(parent) if _words(pid).startswith("git")]
            if found:
                with suppress(ProcessLookupError), self._ledger.outage():
                    os.kill(self._choice.choice(found), signal.SIGKILL)
                    return True
            time.sleep(0.01)
        return False

    def _watch(
        self,
        name: str,
        kill: Callable[[], None],
        start: Callable[[], None],
        is_ready: Callable[[], bool],
        *,
        may_be_noticed: bool = True,
    ) -> bool:
        """Kill it, start it, and look until it is ready; False if that is still under way since the last time."""
        if name in self._down:
            return False
        self._down.add(name)

        def restart() -> None:
            with self._ledger.outage() if may_be_noticed else nullcontext():
                with suppress(ProcessLookupError):
                    kill()
                start()
                deadline = time.monotonic() + PATIENCE
                while not _or_no(is_ready):
                    if time.monotonic() > deadline:
                        self.not_ready.append(name)
                        break
                    time.sleep(0.05)
            self._down.discard(name)

        watcher = threading.Thread(target=restart, name=f"restart {name}", daemon=True)
        self._watchers = [one for one in self._watchers if one.is_alive()] + [watcher]
        watcher.start()
        return True

    def _is_ready(self, number: int) -> bool:
        # Not ready is also said where the database or the store is away: then this node has come up.
        status = plain_http.get(f"{self._cluster.urls[number]}/-/readiness").status_code
        return status in (200, 503) and (not self._cluster.offers_ssh or self._cluster.answers_ssh(number))

    def _answers(self) -> bool:
        with psycopg.connect(self._cluster.database_url, connect_timeout=5) as connection:
            connection.execute("SELECT 1")
        return True


def _or_no(question: Callable[[], bool]) -> bool:
    try:
        return question()
    except Exception:  # noqa: BLE001 - whatever the reason, not yet
        return False


def _descendants(pid: int) -> list[int]:
    found = children(pid)
    return found + [below for child in found for below in _descendants(child)]


def _words(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    return ""
