"""What processes hold while they work (memory, open files), and what work leaves behind on disk and in the store."""

import statistics
import threading
import time
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from contextlib import closing, suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple, Self

from ingot.app import load_features
from ingot.kit.blobs import s3_store
from ingot.kit.blobs.references import orphans, prefixes
from ingot.kit.db import Database
from tests import s3_server
from tests.scale.cluster import BUCKET, Cluster
from tests.support.processor_time import children

# Git's and our own names of what is only there while something is written.
UNFINISHED = ("tmp_*", "incoming-*", "*.lock")


# Seconds in which all code is run for the first time, and the pools of connections and threads fill.
WARM_UP = 120.0


class Look(NamedTuple):
    """What a process held at a moment, in seconds since the beginning."""

    moment: float
    megabytes: float
    files: float


class Growth(NamedTuple):
    """The medians of the first tenth of the time after the warm-up, in an hour the second, and of the last tenth."""

    early: Look
    late: Look
    megabytes: list[float]
    """The medians of all tenths, which show whether it rises or swings."""


class Footprint:
    """Looks at every node and worker again and again until the block ends."""

    def __init__(self, cluster: Cluster, seconds: float) -> None:
        self._processes = {
            **{f"node {number}": process for number, process in enumerate(cluster.nodes)},
            **{f"worker {number}": process for number, process in enumerate(cluster.workers)},
        }
        self._every = max(0.5, seconds / 400)
        self._begun, self._seconds = time.monotonic(), seconds
        self._seen: dict[str, list[Look]] = {name: [] for name in self._processes}
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._ended.wait(self._every):
            for name, process in self._processes.items():
                with suppress(OSError):  # it has just ended
                    pid = process.popen.pid
                    files = len(list(Path(f"/proc/{pid}/fd").iterdir()))
                    self._seen[name].append(Look(time.monotonic() - self._begun, _with_own_processes(pid), files))

    def growth(self) -> dict[str, Growth]:
        """Of each process; empty when the load is too short to tell growth from code and caches that become warm."""
        tenth = self._seconds / 10
        warm = max(tenth, WARM_UP)
        if warm + tenth > self._seconds - tenth:
            return {}
        ends = time.monotonic() - self._begun
        return {
            name: Growth(
                _median([look for look in looks if warm <= look.moment < warm + tenth]),
                _median([look for look in looks if look.moment >= ends - tenth]),
                [
                    _median(looks[place : place + _step(looks)]).megabytes
                    for place in range(0, len(looks), _step(looks))
                ],
            )
            for name, looks in self._seen.items()
        }


def _step(looks: list[Look]) -> int:
    return max(1, -(-len(looks) // 10))


def _median(looks: list[Look]) -> Look:
    """The usual values of some looks."""
    columns = zip(*looks, strict=True)
    return Look(*(round(statistics.median(column), 1) for column in columns))


def _with_own_processes(pid: int) -> float:
    """Megabytes of a process and of those that work for it as long as it lives; git comes and goes."""
    return _megabytes(pid) + sum(_with_own_processes(child) for child in children(pid) if _is_python(child))


def _is_python(pid: int) -> bool:
    return b"python" in Path(f"/proc/{pid}/cmdline").read_bytes().partition(b"\0")[0]


def _megabytes(pid: int) -> float:
    """The memory that is its own; what it shares with other programs is theirs too."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) / 1024
    return 0.0


def left_over(cluster: Cluster, database: Database) -> list[str]:
    """Names of what should be gone once nobody works any more, objects that no row names included."""
    data = Path(cluster.environment["INGOT_DATA"])
    found = [str(path) for path in _unfinished(data)]
    found += [str(path) for place in (data / "tmp", Path(cluster.environment["TMPDIR"])) for path in _below(place)]
    with closing(s3_server.client(cluster.s3_url)) as store:
        uploads = store.list_multipart_uploads(Bucket=BUCKET).get("Uploads", [])
    return [*found, *(f"unfinished upload of {upload['Key']}" for upload in uploads), *orphaned(cluster, database)]


def orphaned(cluster: Cluster, database: Database) -> Iterator[str]:
    """Objects that the sweep would delete a day later."""
    load_features()
    place = replace(s3_server.S3Server(cluster.s3_url, cluster.s3.popen).place(BUCKET), prefix="objects")
    store = s3_store(place)
    with database.read() as conn:
        for prefix in prefixes():
            yield from (f"object {key}" for key in orphans(conn, store, prefix, grace=timedelta()))


def _unfinished(data: Path) -> Iterator[Path]:
    for pattern in UNFINISHED:
        for path in data.rglob(pattern):
            # The files beside a repository on which nodes wait for each other stay.
            if not path.with_name(f"{path.name.removesuffix('.lock').removesuffix('.tidying')}.git").is_dir():
                yield path


def _below(folder: Path) -> list[Path]:
    return list(folder.iterdir()) if folder.is_dir() else []


def wait_until_nothing_is_left(
    cluster: Cluster, database: Database, limit: float, besides: AbstractSet[str] = frozenset()
) -> list[str]:
    """What is still there after this time; the last answers may end a moment before their folders go."""
    deadline = time.monotonic() + limit
    while (found := [one for one in left_over(cluster, database) if one not in besides]) and (
        time.monotonic() < deadline
    ):
        time.sleep(0.2)
    return found
