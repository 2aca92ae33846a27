"""Many at once on SQLite: 200 readers alone, then with 50 writers beside them. Nobody may see an error.

Each client asks, waits for the answer and asks again (`bench._crowd_clients`). How much slower the slowest in a hundred
is than the usual request shows whether turns are fair; the rate says little, because clients and service share the
machine. A plain program that takes the same processor time for each answer is measured in the same run: what its
clients see is the machine, not Ingot. INGOT_BENCH_SECONDS says how long each part lasts.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import httpx

from bench._crowd_clients import TICKS, Crowd, cpu_of, family_of, percentile, run
from bench._ingot import TOKEN, Ingot
from bench._page import write_section
from ingot.kit.cores import usable_cores

READERS, WRITERS = 200, 50
SECONDS = float(os.environ.get("INGOT_BENCH_SECONDS", "20"))
HEADERS = {"PRIVATE-TOKEN": TOKEN}
ABOUT = """\
SQLite, `ingot serve` as it comes, clients on plain sockets in one process on the same machine. By the wall, and
without the time for which the host gave the processors to other machines. *A plain program* answers nothing but takes
as much processor time for each answer as Ingot took for its readers alone: its figures are the machine's. The goals
for readers are 5 for p99 / p50, and 3 for p99 beside writers by p99 alone."""
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

    @property
    def readers(self) -> Crowd:
        """All readers together."""
        result = Crowd()
        for kind, crowd in self.seen.items():
            if kind != "write":
                result.add(crowd)
        return result


def main() -> None:
    """Print the table and write it down."""
    with tempfile.TemporaryDirectory() as folder, Ingot(Path(folder) / "ingot") as ingot:
        path = urlsplit(ingot.create("crowded")).path.removesuffix(".git").strip("/").replace("/", "%2F")
        place = f"/api/v4/projects/{path}"
        for _ in range(30):
            httpx.post(f"{ingot.address}{place}/issues", headers=HEADERS, json={"title": "One more"}, timeout=120)
        address = urlsplit(ingot.address)
        port, service = address.port or 80, family_of(ingot.pid)
        alone = _measure(port, place, 0, service)
        beside = _measure(port, place, WRITERS, service)
    plain = _measure_plain(alone.service / len(alone.readers.by_wall), place)
    text = _table(alone, beside, plain)
    print(text)
    write_section("Many at once", f"{ABOUT}\n\n{text}")


def _measure(port: int, place: str, writers: int, service: list[int]) -> Part:
    reads = {"user": "/api/v4/user", "one project": place, "20 issues": f"{place}/issues?per_page=20"}
    reads["projects"] = "/api/v4/projects"
    kinds = list(reads.items())
    requests = [(kind, _request("GET", path)) for kind, path in (kinds * READERS)[:READERS]]
    requests += [("write", _request("POST", f"{place}/issues", json.dumps({"title": "One more"})))] * writers
    before = (time.perf_counter(), cpu_of(service), time.process_time(), _stolen())
    seen = run(("127.0.0.1", port), requests, SECONDS)
    after = (time.perf_counter(), cpu_of(service), time.process_time(), _stolen())
    return Part(seen, *(end - start for start, end in zip(before, after, strict=True)))


def _measure_plain(seconds: float, place: str) -> Part:
    command = [sys.executable, "-m", "bench._plain_server", str(seconds), str(usable_cores())]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        if process.stdout is None:
            raise RuntimeError("the plain program has no output")
        port = int(process.stdout.readline())
        family = family_of(process.pid)
        try:
            return _measure(port, place, 0, family)
        finally:
            for pid in family:
                os.kill(pid, signal.SIGTERM)


def _request(method: str, path: str, body: str = "") -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", f"PRIVATE-TOKEN: {TOKEN}"]
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return ("\r\n".join(lines) + f"\r\n\r\n{body}").encode()


def _stolen() -> float:
    """Seconds that the host took from all processors."""
    return int(Path("/proc/stat").read_text().split("\n", 1)[0].split()[8]) / TICKS


def _table(alone: Part, beside: Part, plain: Part) -> str:
    rows = [
        HEADING,
        _row(f"{READERS} readers alone", alone.readers),
        *(_row(f"of these: {kind}", crowd) for kind, crowd in alone.seen.items()),
        _row(f"{READERS} readers beside {WRITERS} writers", beside.readers),
        *(_row(f"of these: {kind}", crowd) for kind, crowd in beside.seen.items() if kind != "write"),
        _row(f"{WRITERS} writers", beside.seen["write"]),
        _row(f"{READERS} readers of a plain program", plain.readers),
    ]
    wall = percentile(beside.readers.by_wall, 99) / percentile(alone.readers.by_wall, 99)
    own = percentile(beside.readers.without_stolen, 99) / percentile(alone.readers.without_stolen, 99)
    growth = f"Beside writers, p99 of the readers is {wall:.1f} times theirs alone; {own:.1f} without stolen time."
    parts = {"alone": alone, "beside writers": beside, "plain program": plain}
    return "\n".join([*rows, "", growth, *(_processors(name, part) for name, part in parts.items())])


def _row(name: str, crowd: Crowd) -> str:
    cells = [name, str(len(crowd.by_wall))]
    for times in (crowd.by_wall, crowd.without_stolen):
        usual, slowest = percentile(times, 50), percentile(times, 99)
        cells += [f"{usual:.0f}", f"{slowest:.0f}", f"{slowest / usual:.1f}"]
    cells.append(", ".join(f"{text}: {count}" for text, count in crowd.failures.items()) or "none")
    return f"| {' | '.join(cells)} |"


def _processors(name: str, part: Part) -> str:
    """Shares of all processors."""
    whole = part.seconds * (os.cpu_count() or 1) / 100
    shares = f"the service {part.service / whole:.0f} %, the clients {part.clients / whole:.0f} %"
    return f"Processors, {name}: {shares}, stolen {part.stolen / whole:.0f} %."
