"""Twenty ordinary clients, alone and beside one that asks for slow work on many connections at once.

Threads are shared out by address, so each client has one of its own on this machine (127.0.0.0/8). The processor is
shared by everybody, clients included. What is greedy is tried one after another: git work, clones, archives, exports,
searches and runners that ask for jobs without pause. Each kind has a person, a project and an address of its own, so
that none meets the limits that the one before it used up; runners send the token of a runner only.

INGOT_BENCH_SECONDS says how long each kind is tried, INGOT_BENCH_PRINT_ONLY leaves the page of results alone.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import tempfile
import time
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import httpx

from bench._clients import HEADERS, Client, Crowd, Question
from bench._ingot import Ingot
from bench._page import write_section

ORDINARY, CONNECTIONS = 20, 60
SECONDS = float(os.environ.get("INGOT_BENCH_SECONDS", "15"))
# Ordinary clients stay below the limits of requests of one person.
PAUSE = 0.05
LINES, COMMITS = 4_000, 400
DEVELOPER, MAINTAINER = 30, 40
INFO = {"name": "bench", "version": "17.0.0", "platform": "linux", "architecture": "amd64"}


def main() -> None:
    """Print the table and write it down."""
    settings = {"INGOT_RATE_LIMITS": "true", "INGOT_GIT_CALLS_PER_ADDRESS": "4"}
    with tempfile.TemporaryDirectory() as folder, Ingot(Path(folder) / "ingot", **settings) as ingot:
        remote = ingot.create("shared")
        _fill(remote)
        host, place = urlsplit(ingot.address).netloc, _place(remote)
        people = [_member(ingot.address, place, f"member-{number}") for number in range(ORDINARY)]
        greeds = _greeds(ingot)
        alone = asyncio.run(_run(host, place, people, None))[0]
        rows = [
            "| Clients | answers | p50 ms | p99 ms | p99 / p50 | errors |\n|---|---:|---:|---:|---:|---|",
            alone.row(f"{ORDINARY} ordinary clients alone"),
        ]
        worst = 0.0
        for number, (name, question) in enumerate(greeds.items()):
            greed = Greed(question, f"127.0.2.{number + 1}")
            beside, greedy = asyncio.run(_run(host, place, people, greed))
            rows.append(beside.row(f"beside {name}"))
            rows.append(greedy.row(f"{name}: the greedy one"))
            worst = max(worst, beside.percentile(50) / alone.percentile(50))
    table = "\n".join(rows)
    about = (
        f"{ORDINARY} members of a project, each from an address of its own, ask for its branches, files, commits and"
        f" for itself, {PAUSE * 1000:.0f} ms after the last answer. One more, another one each time, asks for the same"
        f" slow thing of a project as large on {CONNECTIONS} connections: the blame of a file ({LINES:,} lines,"
        f" {COMMITS} commits), clones of its repository, archives, exports, searches in the files, jobs for a runner."
        " `rate_limits` is on and `git_calls_per_address` is 4; 429 is what the greedy one is told, and by which limit."
    )
    last = f"At worst an ordinary request takes {worst:.1f} times as long (p50) beside it."
    print(f"{table}\n\n{last}")
    write_section("A greedy caller", f"{about}\n\n{table}\n\n{last}")


def _place(remote: str) -> str:
    path = urlsplit(remote).path.removesuffix(".git").strip("/").replace("/", "%2F")
    return f"/api/v4/projects/{path}"


def _member(address: str, place: str, name: str, level: int = DEVELOPER) -> str:
    """A token of somebody new who belongs to the project."""
    with httpx.Client(base_url=f"{address}/api/v4/", headers=HEADERS, timeout=120) as root:
        person = {
            "username": name, "name": name, "email": f"{name}@example.com", "force_random_password": True,
            "skip_confirmation": True,
        }  # fmt: skip
        number = root.post("users", json=person).json()["id"]
        root.post(f"{address}{place}/members", json={"user_id": number, "access_level": level}).raise_for_status()
        token = {"name": "bench", "scopes": ["api"], "expires_at": None}
        return str(root.post(f"users/{number}/personal_access_tokens", json=token).json()["token"])


class Greed(NamedTuple):
    """What is asked without pause, and from where."""

    question: Question
    address: str


def _greeds(ingot: Ingot) -> dict[str, Question]:
    """Each kind asks as somebody of its own for a project of its own."""
    address = ingot.address
    remotes = {kind: ingot.create(f"of-{kind}") for kind in ("blames", "clones", "archives", "exports", "searches")}
    for remote in remotes.values():
        _fill(remote)
    places = {kind: _place(remote) for kind, remote in remotes.items()}
    tokens = {kind: _member(address, place, f"greedy-{kind}", MAINTAINER) for kind, place in places.items()}
    head = httpx.get(f"{address}{places['clones']}/repository/commits/main", headers=HEADERS, timeout=120).json()["id"]
    want = f"0032want {head}\n00000009done\n".encode()
    upload_pack = f"{urlsplit(remotes['clones']).path}/git-upload-pack"
    media_type = "application/x-git-upload-pack-request"
    return {
        "blames": Question(
            "GET", f"{places['blames']}/repository/files/long.txt/blame?ref=main", token=tokens["blames"]
        ),
        "clones": Question("POST", upload_pack, want, media_type, token=tokens["clones"]),
        "archives": Question("GET", f"{places['archives']}/repository/archive.tar.gz", token=tokens["archives"]),
        "exports": Question("POST", f"{places['exports']}/export", token=tokens["exports"]),
        "searches": Question(
            "GET", f"{places['searches']}/search?scope=blobs&search=changed", token=tokens["searches"]
        ),
        "runners": Question("POST", "/api/v4/jobs/request", _ask_for_jobs(address), token=""),
    }


def _ask_for_jobs(address: str) -> bytes:
    options = {"runner_type": "instance_type"}
    runner = httpx.post(f"{address}/api/v4/user/runners", headers=HEADERS, json=options, timeout=120).json()
    return json.dumps({"token": runner["token"], "info": INFO, "system_id": "s_1"}).encode()


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


async def _run(host: str, place: str, people: list[str], greed: Greed | None) -> tuple[Crowd, Crowd]:
    ordinary, slow = Crowd(), Crowd()
    paths = [f"{place}/repository/branches", f"{place}/repository/tree", f"{place}/repository/commits", place]
    clients = [
        await Client.open(
            host, Question("GET", paths[number % len(paths)], token=token), ordinary, f"127.0.1.{number + 1}"
        )
        for number, token in enumerate(people)
    ]
    if greed is not None:
        clients += [await Client.open(host, greed.question, slow, greed.address) for _ in range(CONNECTIONS)]
    until = time.perf_counter() + SECONDS
    asking = [
        asyncio.create_task(client.ask_until(until, pause=PAUSE if number < ORDINARY else 0))
        for number, client in enumerate(clients)
    ]
    await asyncio.wait(asking[:ORDINARY])
    # Runners are kept waiting for long, and nobody here waits with them.
    for task in asking[ORDINARY:]:
        task.cancel()
    await asyncio.gather(*asking, return_exceptions=True)
    for client in clients:
        client.writer.close()
    return ordinary, slow
