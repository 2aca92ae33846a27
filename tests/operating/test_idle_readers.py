"""Hundreds of people have a page open that renews itself: each costs the server little memory and no thread."""

import asyncio
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from ingot.web.live import HEARTBEAT, PER_VISITOR
from tests.support import plain_http
from tests.support.databases import Databases
from tests.support.process import ServerProcess

CI = "strike:\n  script: [make]\nquench:\n  script: [make]\n"
MEGABYTE = 1024 * 1024
MOST_OF_ONE = 60 * MEGABYTE / 500
POOLED = 32  # threads that may still be begun for what is asked while streams are opened
# What opening streams needs at first: all pools of threads, connections of the database, code.
FIRST = 60
LIMIT = 120.0  # seconds, on a machine that is busy with much else


class Reader:
    """A page that is open at an address of six, and its stream, which is read until it ends."""

    def __init__(self, port: int, number: int, path: str, token: str | None) -> None:
        self._port = port
        self._home = f"127.0.{1 + number // PER_VISITOR // 250}.{1 + number // PER_VISITOR % 250}"
        self._lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", ""]
        if token is not None:
            self._lines.insert(1, f"PRIVATE-TOKEN: {token}")
        self._sink: asyncio.StreamWriter | None = None
        self.events: list[str] = []
        self.beats = 0

    async def open(self) -> None:
        """Returns once the stream has begun."""
        source, self._sink = await asyncio.open_connection("127.0.0.1", self._port, local_addr=(self._home, 0))
        self._sink.write("\r\n".join([*self._lines, ""]).encode())
        head = await source.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200 "), head
        self._reading = asyncio.create_task(self._read(source))

    async def _read(self, source: asyncio.StreamReader) -> None:
        while self.events[-1:] != ["over"]:
            line = await source.readline()
            assert line, "the stream broke off"
            if line.startswith(b"event: "):
                self.events.append(line.decode().removeprefix("event: ").strip())
            self.beats += line.startswith(b": still here")

    async def until_over(self) -> None:
        """Wait until the server says that nothing will change any more."""
        await asyncio.wait_for(self._reading, LIMIT)

    def close(self) -> None:
        """Whatever has become of the stream: what stays open is held against tests that follow."""
        if self._sink is not None:
            self._sink.close()


def threads(server: ServerProcess) -> int:
    return len(list(Path(f"/proc/{server.pid}/task").iterdir()))


def forge(server: ServerProcess, name: str) -> tuple[list[str], Callable[[], None]]:
    """Streams of a job, a pipeline and a merge box that wait for a runner, and what ends all three."""
    body: dict[str, Any] = {"name": name, "visibility": "public", "initialize_with_readme": True}
    project = server.call("POST", "/projects", json=body)
    place = f"/projects/{project['id']}"
    action = {"action": "create", "file_path": ".gitlab-ci.yml", "content": CI}
    commit = {"branch": "work", "start_branch": "main", "commit_message": "Strike", "actions": [action]}
    server.call("POST", f"{place}/repository/commits", json=commit)
    [pipeline] = server.call("GET", f"{place}/pipelines")
    job = server.call("GET", f"{place}/pipelines/{pipeline['id']}/jobs")[0]
    body = {"source_branch": "work", "target_branch": "main", "title": "Strike"}
    request = server.call("POST", f"{place}/merge_requests", json=body)
    pages = (f"jobs/{job['id']}", f"pipelines/{pipeline['id']}", f"merge_requests/{request['iid']}")
    base = f"/{project['path_with_namespace']}/-"

    def end() -> None:
        server.call("POST", f"{place}/pipelines/{pipeline['id']}/cancel")
        server.call("PUT", f"{place}/merge_requests/{request['iid']}", json={"state_event": "close"})

    return [f"{base}/{page}/events" for page in pages], end


def people(server: ServerProcess, number: int) -> list[str]:
    """Tokens of so many people."""
    tokens = []
    for one in range(number):
        body = {"username": f"p{one}", "name": f"P{one}", "email": f"p{one}@example.com", "password": "anvil-strikes"}
        user = server.call("POST", "/users", json=body | {"skip_confirmation": True})
        place = f"/users/{user['id']}/personal_access_tokens"
        tokens.append(server.call("POST", place, json={"name": "reads", "scopes": ["read_api"]})["token"])
    return tokens


async def watch(server: ServerProcess, tokens: Sequence[str], number: int, name: str, idle: float) -> int:
    """So many readers wait so long, and are told of a change; how many threads there were when all waited."""
    paths, end = await asyncio.to_thread(forge, server, name)
    await asyncio.to_thread(ask, server, paths[2])  # what pages need is loaded before many ask at once
    # Jobs are for people with an account, six streams for each; the merge box is open to everybody.
    owners = [None if one % 3 == 2 else tokens[one // (PER_VISITOR * 3 // 2)] for one in range(number)]
    readers = [Reader(server.port, one, paths[one % 3], owners[one]) for one in range(number)]
    try:
        for first in range(0, number, FIRST):
            await asyncio.gather(*(one.open() for one in readers[first : first + FIRST]))
        await asyncio.sleep(idle)
        assert all(one.beats for one in readers) == (idle > HEARTBEAT)
        while_all_wait = threads(server)
        await asyncio.to_thread(ask, server, paths[2])
        before = [len(one.events) for one in readers]
        await asyncio.to_thread(end)
        await asyncio.gather(*(one.until_over() for one in readers))
    finally:
        for one in readers:
            one.close()
    told = [one.events[count:] for one, count in zip(readers, before, strict=True)]
    assert all(events[-2:] == ["changed", "over"] for events in told)
    return while_all_wait


def ask(server: ServerProcess, stream: str) -> None:
    """Others are answered as ever."""
    for path in (stream.removesuffix("/events"), "/api/v4/projects", "/explore/projects"):
        begun = time.monotonic()
        assert plain_http.get(f"{server.url}{path}").status_code == 200
        assert time.monotonic() - begun < LIMIT / 10


@pytest.mark.costly
@pytest.mark.parametrize(
    ("number", "idle"),
    [
        pytest.param(60, 0.5, id="short"),
        pytest.param(500, 3 * HEARTBEAT, id="500", marks=pytest.mark.scale),
    ],
)
def test_idle_readers_cost_little_memory_and_no_thread(
    databases: Databases, tmp_path: Path, number: int, idle: float
) -> None:
    with ServerProcess(databases.fresh(tmp_path), tmp_path / "data") as server:
        tokens = people(server, number // (PER_VISITOR * 3 // 2) + 1)
        asyncio.run(watch(server, tokens, FIRST, "warm", 0.5))
        before = threads(server)

        while_all_wait, grown = server.private_growth(lambda: asyncio.run(watch(server, tokens, number, "anvil", idle)))

        figures = f"{number} readers: {grown / MEGABYTE:.1f} MB, {before} and {while_all_wait} threads"
        print(figures)  # noqa: T201
        assert grown < number * MOST_OF_ONE, figures
        assert while_all_wait <= before + POOLED, figures
