"""Many at once on SQLite: 200 readers alone, then with 50 writers beside them. Nobody may see an error.

Each client asks, waits for the answer and asks again. How much slower the slowest in a hundred is than the usual
request shows whether turns are fair; the rate says little, because clients and service share the machine.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import httpx

from bench._ingot import TOKEN, Ingot
from bench._page import write_section

READERS, WRITERS, SECONDS = 200, 50, 20.0
HEADERS = {"PRIVATE-TOKEN": TOKEN}


@dataclass(slots=True)
class Crowd:
    """What a kind of clients saw: milliseconds of good answers, and the number of others by status."""

    times: list[float] = field(default_factory=list)
    failures: Counter[str] = field(default_factory=Counter)

    def percentile(self, number: int) -> float:
        """Milliseconds within which so many of a hundred were answered."""
        return statistics.quantiles(self.times, n=100)[number - 1]

    def row(self, name: str) -> str:
        """A line of the table."""
        usual, slowest = self.percentile(50), self.percentile(99)
        wrong = ", ".join(f"{text}: {count}" for text, count in self.failures.items()) or "none"
        return f"| {name} | {len(self.times)} | {usual:.0f} | {slowest:.0f} | {slowest / usual:.1f} | {wrong} |"


def main() -> None:
    """Print the table and write it down."""
    with tempfile.TemporaryDirectory() as folder, Ingot(Path(folder) / "ingot") as ingot:
        path = urlsplit(ingot.create("crowded")).path.removesuffix(".git").strip("/").replace("/", "%2F")
        project = f"{ingot.address}/api/v4/projects/{path}"
        for _ in range(30):
            httpx.post(f"{project}/issues", headers=HEADERS, json={"title": "One more"}, timeout=120)
        alone, _ = asyncio.run(_run(ingot.address, project, writers=0))
        readers, writers = asyncio.run(_run(ingot.address, project, writers=WRITERS))
    rows = [
        "| Clients | answers | p50 ms | p99 ms | p99 / p50 | errors |\n|---|---:|---:|---:|---:|---|",
        alone.row(f"{READERS} readers alone"),
        readers.row(f"{READERS} readers beside {WRITERS} writers"),
        writers.row(f"{WRITERS} writers"),
    ]
    table = "\n".join(rows)
    times = readers.percentile(99) / alone.percentile(99)
    text = f"{table}\n\nBeside writers, p99 of the readers is {times:.1f} times theirs alone; the goal is 3."
    print(text)
    about = "SQLite, `ingot serve` as it comes, clients on the same machine. The goal for p99 / p50 of readers is 5."
    write_section("Many at once", f"{about}\n\n{text}")


async def _run(address: str, project: str, writers: int) -> tuple[Crowd, Crowd]:
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    reading, writing = Crowd(), Crowd()
    paths = [f"{address}/api/v4/user", project, f"{project}/issues?per_page=20", f"{address}/api/v4/projects"]
    until = time.perf_counter() + SECONDS
    async with httpx.AsyncClient(limits=limits, timeout=120, headers=HEADERS) as client:
        readers = [ask(client, "GET", paths[number % len(paths)], until, reading) for number in range(READERS)]
        authors = [ask(client, "POST", f"{project}/issues", until, writing) for _ in range(writers)]
        await asyncio.gather(*readers, *authors)
    return reading, writing


async def ask(client: httpx.AsyncClient, method: str, address: str, until: float, seen: Crowd) -> None:
    content = json.dumps({"title": "One more"}) if method == "POST" else None
    headers = {"Content-Type": "application/json"} if content else {}
    while time.perf_counter() < until:
        started = time.perf_counter()
        try:
            answer = await client.request(method, address, content=content, headers=headers)
        except httpx.HTTPError as error:
            seen.failures[type(error).__name__] += 1
            continue
        if answer.status_code < 300:
            seen.times.append((time.perf_counter() - started) * 1000)
        else:
            seen.failures[str(answer.status_code)] += 1
