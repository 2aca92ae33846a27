"""Many at once on SQLite: 200 readers alone, then with 50 writers beside them. Nobody may see an error.

Each client asks, waits for the answer and asks again. How much slower the slowest in a hundred is than the usual
request shows whether turns are fair; the rate says little, because clients and service share the machine.
"""

from __future__ import annotations

import asyncio
import base64
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
PATIENCE = 120.0
HEADERS = {"PRIVATE-TOKEN": TOKEN}
ONE_MORE = json.dumps({"title": "One more"}).encode()


@dataclass(slots=True)
class Crowd:
    """What a kind of clients saw: milliseconds of good answers, and the number of others by status."""

    times: list[float] = field(default_factory=list)
    failures: Counter[str] = field(default_factory=Counter)

    def percentile(self, number: int) -> float:
        """Milliseconds within which so many of a hundred were answered."""
        if len(self.times) < 2:
            return self.times[0] if self.times else 0.0
        return statistics.quantiles(self.times, n=100)[number - 1]

    def row(self, name: str) -> str:
        """A line of the table."""
        usual, slowest = self.percentile(50), self.percentile(99)
        wrong = ", ".join(f"{text}: {count}" for text, count in self.failures.items()) or "none"
        spread = f"{slowest / usual:.1f}" if usual else ""
        return f"| {name} | {len(self.times)} | {usual:.0f} | {slowest:.0f} | {spread} | {wrong} |"


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
    reading, writing = Crowd(), Crowd()
    host = urlsplit(address).netloc
    place = urlsplit(project).path
    paths = ["/api/v4/user", place, f"{place}/issues?per_page=20", "/api/v4/projects"]
    # Everybody is connected before the first is measured: opening hundreds of connections is another matter.
    reads = [Question("GET", path) for path in paths]
    write = Question("POST", f"{place}/issues", ONE_MORE)
    readers = [await Client.open(host, reads[number % len(reads)], reading) for number in range(READERS)]
    authors = [await Client.open(host, write, writing) for _ in range(writers)]
    until = time.perf_counter() + SECONDS
    await asyncio.gather(*(client.ask_until(until) for client in (*readers, *authors)))
    return reading, writing


@dataclass(frozen=True, slots=True)
class Question:
    """What a client asks again and again."""

    method: str
    path: str
    body: bytes = b""
    kind: str = "application/json"
    token: str = TOKEN

    def request(self, host: str) -> bytes:
        """The bytes to send."""
        signed = base64.b64encode(f"bench:{self.token}".encode()).decode()
        is_api = self.path.startswith("/api/")
        who = f"PRIVATE-TOKEN: {self.token}" if is_api else f"Authorization: Basic {signed}"
        lines = [f"{self.method} {self.path} HTTP/1.1", f"Host: {host}", who]
        if self.body:
            lines += [f"Content-Type: {self.kind}", f"Content-Length: {len(self.body)}"]
        return ("\r\n".join(lines) + "\r\n\r\n").encode() + self.body


class Client:
    """One connection; plain, so that the clients do not take the processors.

    `address` is the one of this machine that the server sees it come from.
    """

    def __init__(self, host: str, question: Question, seen: Crowd, address: str | None) -> None:
        self.host, self.seen, self.address = host, seen, address
        self.request = question.request(host)

    @classmethod
    async def open(cls, host: str, question: Question, seen: Crowd, address: str | None = None) -> Client:
        """A client that is connected."""
        client = cls(host, question, seen, address)
        await client.connect()
        return client

    async def connect(self) -> None:
        """Open the connection."""
        name, _, port = self.host.rpartition(":")
        here = (self.address, 0) if self.address else None
        self.reader, self.writer = await asyncio.open_connection(name, int(port), local_addr=here)

    async def ask_until(self, until: float) -> None:
        """Ask, wait for the answer and ask again. What is still unanswered at the end is not counted."""
        while (started := time.perf_counter()) < until:
            try:
                status = await asyncio.wait_for(self._ask(), PATIENCE)
            except (OSError, EOFError, TimeoutError) as error:
                self.seen.failures[type(error).__name__] += 1
                self.writer.close()
                await self.connect()
                continue
            if status < 300:
                self.seen.times.append((time.perf_counter() - started) * 1000)
            else:
                self.seen.failures[str(status)] += 1
        self.writer.close()

    async def _ask(self) -> int:
        self.writer.write(self.request)
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        status = int(head.split(" ", 2)[1])
        if "transfer-encoding: chunked" in head:
            while size := int((await self.reader.readline()).partition(b";")[0], 16):
                await self.reader.readexactly(size + 2)
            await self.reader.readline()
        elif status not in (204, 304):
            length = next(line for line in head.split("\r\n") if line.startswith("content-length:"))
            await self.reader.readexactly(int(length.partition(":")[2]))
        return status
