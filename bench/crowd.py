"""Many at once on SQLite: 200 readers alone, then with 50 writers beside them. Nobody may see an error.

Two mixes: cheap reads beside writers of issues of the project that is read, and all kinds of reads beside writers of
issues, comments and files of several projects. Each client asks, waits for the answer and asks again
(`bench._crowd_clients`). How much slower the slowest in a hundred is than the usual request shows whether turns are
fair; the rate says little, because clients and service share the machine. A plain program that takes the same processor
time for each answer is measured in the same run: what its clients see is the machine, not Ingot. INGOT_BENCH_SECONDS
says how long each part lasts.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from bench._crowd_clients import TICKS, Crowd, cpu_of, family_of, percentile, run
from bench._crowd_world import PROJECTS, Request, World, readers
from bench._ingot import Ingot
from bench._page import marked, write_section
from ingot.kit.cores import usable_cores

READERS, WRITERS = 200, 50
SECONDS = float(os.environ.get("INGOT_BENCH_SECONDS", "20"))
SPREAD, GROWTH = 5.0, 3.0
ABOUT = f"""\
SQLite, `ingot serve` as it comes, clients on plain sockets in one process on the same machine. By the wall, and
without the time for which the host gave the processors to other machines. *A plain program* answers nothing but takes
as much processor time for each answer as Ingot took for its readers alone: its figures are the machine's. The goals
for readers are {SPREAD:.0f} for p99 / p50, and {GROWTH:.0f} for p99 beside writers by p99 alone; what is above them is
**marked**."""
MIXES = {
    "Cheap reads": "Beside them writers of issues of the project that is read.",
    "All reads": f"""\
Beside them writers of issues, comments and files, the latter each on a branch of its own, of {PROJECTS} projects, one
of which is read.""",
}
HEADING = """\
| Clients | answers | p50 ms | p99 ms | p99 / p50 | without stolen time: p50 | p99 | p99 / p50 | errors |
|---|---:|---:|---:|---:|---:|---:|---:|---|"""


@dataclass(slots=True)
class Part:
    """One part of the run: what the clients saw, and where the processors were meanwhile."""

    seen: dict[str, Crowd]
    seconds: float
    service: float
    clients: float
    stolen: float

    def of(self, kinds: Collection[str]) -> Crowd:
        """Clients of several kinds together."""
        result = Crowd()
        for kind in kinds:
            result.add(self.seen[kind])
        return result


@dataclass(slots=True)
class Mix:
    """What was measured of one mix."""

    reads: list[str]
    alone: Part
    beside: Part
    plain: Part


def main() -> None:
    """Print the tables and write them down."""
    parts = [ABOUT]
    for name, text in MIXES.items():
        with tempfile.TemporaryDirectory() as folder, Ingot(Path(folder) / "ingot") as ingot:
            table = _table(_measure_mix(ingot, has_all=name == "All reads"))
        print(f"{name}\n{table}")
        parts.append(f"**{name}.** {text}\n\n{table}")
    write_section("Many at once", "\n\n".join(parts))


def _measure_mix(ingot: Ingot, *, has_all: bool) -> Mix:
    world = World(ingot, WRITERS if has_all else 0)
    kinds = world.all_reads() if has_all else world.cheap_reads()
    reads = readers(kinds, READERS)
    writes = world.writes(WRITERS) if has_all else world.issues_of_one(WRITERS)
    port, service = urlsplit(ingot.address).port or 80, family_of(ingot.pid)
    alone = _measure(port, reads, service)
    beside = _measure(port, reads + writes, service)
    plain = _measure_plain(alone.service / len(alone.of(list(kinds)).by_wall), reads)
    return Mix(list(kinds), alone, beside, plain)


def _measure(port: int, requests: list[Request], service: list[int]) -> Part:
    before = (time.perf_counter(), cpu_of(service), time.process_time(), _stolen())
    seen = run(("127.0.0.1", port), requests, SECONDS)
    after = (time.perf_counter(), cpu_of(service), time.process_time(), _stolen())
    return Part(seen, *(end - start for start, end in zip(before, after, strict=True)))


def _measure_plain(seconds: float, requests: list[Request]) -> Part:
    command = [sys.executable, "-m", "bench._plain_server", str(seconds), str(usable_cores())]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        if process.stdout is None:
            raise RuntimeError("the plain program has no output")
        port = int(process.stdout.readline())
        family = family_of(process.pid)
        try:
            return _measure(port, requests, family)
        finally:
            for pid in family:
                os.kill(pid, signal.SIGTERM)


def _stolen() -> float:
    """Seconds that the host took from all processors."""
    return int(Path("/proc/stat").read_text().split("\n", 1)[0].split()[8]) / TICKS


def _table(mix: Mix) -> str:
    writes = [kind for kind in mix.beside.seen if kind not in mix.reads]
    alone, beside = mix.alone.of(mix.reads), mix.beside.of(mix.reads)
    rows = [
        HEADING,
        _row(f"{READERS} readers alone", alone, SPREAD),
        *(_row(f"of these: {kind}", mix.alone.seen[kind]) for kind in mix.reads),
        _row(f"{READERS} readers beside {WRITERS} writers", beside),
        *(_row(f"of these: {kind}", mix.beside.seen[kind]) for kind in mix.reads),
        _row(f"{WRITERS} writers", mix.beside.of(writes)),
        *(_row(f"of these: {kind}", mix.beside.seen[kind]) for kind in writes if len(writes) > 1),
        _row(f"{READERS} readers of a plain program", mix.plain.of(mix.reads)),
    ]
    wall, own = (
        marked(percentile(late, 99) / percentile(early, 99), GROWTH)
        for late, early in (
            (beside.by_wall, alone.by_wall),
            (beside.without_stolen, alone.without_stolen),
        )
    )
    growth = f"Beside writers, p99 of the readers is {wall} times theirs alone; {own} without stolen time."
    parts = {"alone": mix.alone, "beside writers": mix.beside, "plain program": mix.plain}
    return "\n".join([*rows, "", growth, *(_processors(name, part) for name, part in parts.items())])


def _row(name: str, crowd: Crowd, goal: float = float("inf")) -> str:
    cells = [name, str(len(crowd.by_wall))]
    for times in (crowd.by_wall, crowd.without_stolen):
        usual, slowest = percentile(times, 50), percentile(times, 99)
        cells += [f"{usual:.0f}", f"{slowest:.0f}", marked(slowest / usual, goal)]
    cells.append(", ".join(f"{text}: {count}" for text, count in crowd.failures.items()) or "none")
    return f"| {' | '.join(cells)} |"


def _processors(name: str, part: Part) -> str:
    """Shares of all processors."""
    whole = part.seconds * (os.cpu_count() or 1) / 100
    shares = f"the service {part.service / whole:.0f} %, the clients {part.clients / whole:.0f} %"
    return f"Processors, {name}: {shares}, stolen {part.stolen / whole:.0f} %."


if __name__ == "__main__":
    main()
