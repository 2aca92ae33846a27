"""Twenty ordinary clients, alone and beside one that asks for slow work on many connections at once.

Threads are shared out by address, so each client has one of its own on this machine (127.0.0.0/8). The processor is
shared by everybody, clients included. For the greedy one git works in as many processes as one address may have.
"""

from __future__ import annotations

import asyncio
import subprocess
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit

import httpx

from bench._ingot import TOKEN, Ingot
from bench._page import write_section
from bench.crowd import Crowd, ask

ORDINARY, CONNECTIONS, SECONDS = 20, 60, 20.0
LINES, COMMITS = 4_000, 400


def main() -> None:
    """Print the table and write it down."""
    with tempfile.TemporaryDirectory() as folder, Ingot(Path(folder) / "ingot") as ingot:
        remote = ingot.create("shared")
        _fill(remote)
        path = urlsplit(remote).path.removesuffix(".git").strip("/").replace("/", "%2F")
        project = f"{ingot.address}/api/v4/projects/{path}"
        alone, _ = asyncio.run(_run(project, greedy=False))
        beside, greedy = asyncio.run(_run(project, greedy=True))
    rows = [
        "| Clients | answers | p50 ms | p99 ms | p99 / p50 | errors |\n|---|---:|---:|---:|---:|---|",
        alone.row(f"{ORDINARY} ordinary clients alone"),
        beside.row(f"{ORDINARY} ordinary clients beside the greedy one"),
        greedy.row(f"the greedy one, {CONNECTIONS} connections"),
    ]
    table = "\n".join(rows)
    times = beside.percentile(50) / alone.percentile(50)
    print(f"{table}\n\nBeside the greedy one an ordinary request takes {times:.1f} times as long.")
    about = (
        f"One client asks for the blame of a file ({LINES:,} lines, {COMMITS} commits) on {CONNECTIONS} connections."
    )
    write_section(
        "A greedy caller", f"{about}\n\n{table}\n\nAn ordinary request takes {times:.1f} times as long beside it."
    )


def _fill(remote: str) -> None:
    """A file of many lines, changed by many commits."""
    lines = [f"line {number}" for number in range(LINES)]
    stream = []
    for number in range(COMMITS):
        lines[number * 7 % LINES] = f"changed by commit {number}"
        text = "\n".join(lines)
        message = f"Change {number}"
        stream.append(
            f"commit refs/heads/main\ncommitter Ada <ada@example.com> {1_700_000_000 + number} +0000\n"
            f"data {len(message)}\n{message}\nM 644 inline long.txt\ndata {len(text)}\n{text}\n"
        )
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["git", "init", "-q", "--bare", folder], check=True)
        subprocess.run(["git", "-C", folder, "fast-import", "--quiet"], input="".join(stream).encode(), check=True)
        subprocess.run(["git", "-C", folder, "push", "-q", remote, "main"], check=True)


async def _run(project: str, *, greedy: bool) -> tuple[Crowd, Crowd]:
    ordinary, slow = Crowd(), Crowd()
    paths = [f"{project}/repository/branches", f"{project}/repository/tree", f"{project}/repository/commits", project]
    until = time.perf_counter() + SECONDS
    clients = [_client(f"127.0.1.{number + 1}") for number in range(ORDINARY)]
    other = _client("127.0.2.1")
    work = [ask(client, "GET", paths[place % len(paths)], until, ordinary) for place, client in enumerate(clients)]
    if greedy:
        blame = f"{project}/repository/files/long.txt/blame?ref=main"
        work += [ask(other, "GET", blame, until, slow) for _ in range(CONNECTIONS)]
    await asyncio.gather(*work)
    for client in (*clients, other):
        await client.aclose()
    return ordinary, slow


def _client(address: str) -> httpx.AsyncClient:
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    transport = httpx.AsyncHTTPTransport(local_address=address, limits=limits)
    return httpx.AsyncClient(transport=transport, timeout=120, headers={"PRIVATE-TOKEN": TOKEN})
