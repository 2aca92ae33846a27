"""Clients with connections of their own, each of which asks, waits for the answer and asks again."""

from __future__ import annotations

import asyncio
import base64
import json
import statistics
import time
from collections import Counter
from dataclasses import dataclass, field

from bench._ingot import TOKEN

PATIENCE = 120.0
HEADERS = {"PRIVATE-TOKEN": TOKEN}
ONE_MORE = json.dumps({"title": "One more"}).encode()


@dataclass(slots=True)
class Crowd:
    """What a kind of clients saw: milliseconds of good answers, and the number of others by status and limit."""

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


@dataclass(frozen=True, slots=True)
class Question:
    """What a client asks again and again; without a token nobody says who asks."""

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
        lines = [f"{self.method} {self.path} HTTP/1.1", f"Host: {host}", *([who] if self.token else [])]
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

    async def ask_until(self, until: float, *, pause: float = 0) -> None:
        """Ask, wait for the answer and ask again, after a pause. What is unanswered at the end is not counted."""
        while (started := time.perf_counter()) < until:
            try:
                status, limit = await asyncio.wait_for(self._ask(), PATIENCE)
            except (OSError, EOFError, TimeoutError) as error:
                self.seen.failures[type(error).__name__] += 1
                self.writer.close()
                await self.connect()
                continue
            if status < 300:
                self.seen.times.append((time.perf_counter() - started) * 1000)
            else:
                self.seen.failures[f"{status} {limit}".strip()] += 1
            await asyncio.sleep(pause)
        self.writer.close()

    async def _ask(self) -> tuple[int, str]:
        """The status of the answer, and the limit that refused the question."""
        self.writer.write(self.request)
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        status = int(head.split(" ", 2)[1])
        if "transfer-encoding: chunked" in head:
            while size := int((await self.reader.readline()).partition(b";")[0], 16):
                await self.reader.readexactly(size + 2)
            await self.reader.readline()
        elif status not in (204, 304):
            await self.reader.readexactly(int(_header(head, "content-length")))
        return status, _header(head, "ratelimit-name") if status == 429 else ""


def _header(head: str, name: str) -> str:
    """The value of a header; empty where there is none."""
    lines = (line for line in head.split("\r\n") if line.startswith(f"{name}:"))
    return next(lines, "").partition(":")[2].strip()
