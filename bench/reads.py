"""Everyday reads: requests per second, the CPU time of a request, and the floor beside it.

A read is measured twice: asked again while nothing has changed, and made anew, as after a change. The floor is a plain
program that runs the same SQL as an answer made from nothing, with the driver, reads the same refs, commits or file
through libgit2, and encodes the same bytes with the digest in their headers. `python -m bench reads`
writes its section of docs/benchmarks.md and the bars to docs/benchmarks.svg. Another build is measured with its sources
in PYTHONPATH and INGOT_BENCH_PRINT_ONLY=1.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from statistics import median
from typing import Any

import msgspec
import pygit2
from starlette.responses import Response
from starlette.types import ASGIApp

from bench import _chart, _reads_load
from bench._page import write_section
from bench._reads_world import READS, fill, open_services
from ingot import app as composition
from ingot.kit.api import Api
from ingot.kit.call import Call
from ingot.kit.loading import without_collection
from ingot.kit.services import Services

ROUNDS = 5
TIMES = 40
FRESH = (b"cache-control", b"no-cache")
CAPTION = "µs of CPU for one request, asked again (dark), floor (light)"
ABOUT = f"""\
SQLite, one process, {_reads_load.CLIENTS} clients beside it on the same machine. *again* and *anew* are the processor
time of the whole request inside the process, from the ASGI call to the last byte: asked again while nothing was
written since, and made anew (`Cache-Control: no-cache`). The *floor* is a plain program that runs the same SQL as an
answer made from nothing with the driver, reads the same commits, branches or file (with the commit that changed it
last, which a header names) or the heads of a merge request's branches (which show whether its stored check still
holds) through libgit2, and encodes the same bytes with their digest, which is a header of the answer too. *handler* is
the part of *anew* from checking the caller to the encoded answer, without the way to the handler and back; the goal is
twice the floor. The floor also reads what a process remembers while nothing is written: the token, settings of the
instance, the project with the caller's level, its protected branches. The handler reads these only after a write.
Handler and floor run in turn in the same thread, each first every other time, and medians are shown; *floor alone* is
the same program in a loop of its own, with nothing else in the caches of the processor. Requests per second are of
repeated requests."""


@dataclass(frozen=True, slots=True)
class Line:
    """What was measured of one read."""

    name: str
    statements: int
    per_second: float
    again: float  # microseconds of the whole request inside the process, while nothing has changed
    anew: float  # the same of an answer that is made anew
    handler: float  # of that, from checking the caller to the encoded answer
    floor: float
    floor_alone: float  # in a loop of its own


def main() -> None:
    """Measure, print, and write the page."""
    logging.disable(logging.WARNING)
    with tempfile.TemporaryDirectory() as folder:
        token = fill(folder)
        rates = _reads_load.rates(folder, token, READS)
        lines = asyncio.run(_measure(folder, token, rates))
    table = _table(lines)
    print(table)
    chart = _chart.bars([(line.name, line.again, line.floor) for line in lines], CAPTION)
    write_section("Everyday reads", f"{ABOUT}\n\n{table}", ("benchmarks.svg", chart))


async def _measure(folder: str, token: str, rates: dict[str, float]) -> list[Line]:
    # As `ingot serve` does it: what stays until the end is not looked through again for garbage.
    with without_collection():
        services = open_services(folder)
        application = composition.build(services)
    try:
        return [await _line(services, application, name, token, rates[name]) for name in READS]
    finally:
        services.pools.close()
        services.db.dispose()


async def _line(services: Services, application: ASGIApp, name: str, token: str, rate: float) -> Line:
    statements, body = await _recorded(services, application, READS[name], token)
    again = await _cost(application, READS[name], token)
    anew = await _cost(application, READS[name], token, FRESH)
    floor = _floor(services, statements, body, _git_reading(services, name))
    with _timing_handlers(floor) as (handlers, floors):
        await _cost(application, READS[name], token, FRESH)
    alone = [_thread_time(floor) for _ in range(ROUNDS * TIMES)]
    return Line(name, len(statements), rate, again, anew, *(median(times) * 1e6 for times in (handlers, floors, alone)))


@contextmanager
def _timing_handlers(floor: Callable[[], object]) -> Iterator[tuple[list[float], list[float]]]:
    """Notes the processor time of every handler, in the thread that runs it, and of the floor in turn with it.

    Whichever goes first warms the caches for the other, so each does every other time.
    """
    handlers: list[float] = []
    floors: list[float] = []
    plain = Api._handle_once  # noqa: SLF001 - what lies around it is measured as well, with the whole request

    def timed(api: Api, call: Call) -> Response:
        is_first = len(handlers) % 2 == 0
        if is_first:
            floors.append(_thread_time(floor))
        started = time.thread_time()
        response = plain(api, call)
        handlers.append(time.thread_time() - started)
        if not is_first:
            floors.append(_thread_time(floor))
        return response

    Api._handle_once = timed  # type: ignore[method-assign]  # noqa: SLF001
    try:
        yield handlers, floors
    finally:
        Api._handle_once = plain  # type: ignore[method-assign]  # noqa: SLF001


def _thread_time(work: Callable[[], object]) -> float:
    started = time.thread_time()
    work()
    return time.thread_time() - started


async def _cost(application: ASGIApp, path: str, token: str, *headers: tuple[bytes, bytes]) -> float:
    times = []
    for _ in range(ROUNDS):
        started = time.process_time()
        for _ in range(TIMES):
            await _ask(application, path, token, *headers)
        times.append((time.process_time() - started) / TIMES)
    return min(times) * 1e6


async def _recorded(services: Services, application: ASGIApp, path: str, token: str) -> tuple[list[str], bytes]:
    """The statements of one request whose answer is made from nothing, as SQLite ran them, and its body."""
    for _ in range(5):
        await _ask(application, path, token)
    for forget in services.memories:
        forget()
    statements: list[str] = []
    _trace(services, statements.append)
    try:
        body = await _ask(application, path, token)
    finally:
        _trace(services, None)
    return [statement for statement in statements if statement.startswith("SELECT")], body


def _git_reading(services: Services, name: str) -> Callable[[], object]:
    """What a plain program reads from git for this read, in a repository that is open already."""
    with services.db.read() as connection:
        project = connection.exec_driver_sql(
            "SELECT id, repository_storage FROM projects WHERE full_path = 'smithy/anvil'"
        ).one()
        heads = connection.exec_driver_sql(
            f"SELECT source_branch, target_branch FROM merge_requests WHERE project_id = {project[0]} AND iid = 2"
        ).one()
    git = pygit2.Repository(str(services.storages.repository(project[1], project[0]).path))
    readings: dict[str, Callable[[], object]] = {
        # Whether the stored check of the request still holds.
        "one merge request": lambda: [git.references[f"refs/heads/{name}"].resolve().target for name in heads],
        "20 commits": lambda: [commit.message for commit in islice(git.walk(_main(git).id), 20)],
        "20 branches": lambda: [git.branches.local[branch].peel().message for branch in git.branches.local],
        "raw file": lambda: (_main(git).tree["README.md"].data, _last_change(_main(git), "README.md")),
    }
    return readings.get(name, lambda: None)


def _main(git: pygit2.Repository) -> pygit2.Commit:
    return git.references["refs/heads/main"].peel(pygit2.Commit)


def _last_change(commit: pygit2.Commit, path: str) -> pygit2.Oid:
    """The commit that changed the file last: a header of the raw file names it, so whoever makes it has to look."""
    content = commit.tree[path].id
    while True:
        same = (parent for parent in commit.parents if path in parent.tree and parent.tree[path].id == content)
        parent = next(same, None)
        if parent is None:
            return commit.id
        commit = parent


def _trace(services: Services, callback: Callable[[str], None] | None) -> None:
    """The connection that was used last is the one that the next read gets."""
    with services.db.read() as connection:
        raw: Any = connection.connection.dbapi_connection
        raw.set_trace_callback(callback)


def _floor(
    services: Services, statements: list[str], body: bytes, read_git: Callable[[], object]
) -> Callable[[], object]:
    """The plain program, with a connection of its own in each thread that runs it."""
    is_json = body[:1] in (b"{", b"[")
    content: Any = msgspec.json.decode(body) if is_json else None
    encode: Callable[[Any], bytes] = msgspec.json.Encoder().encode
    # Part of the answer: the entity tag of JSON, and the checksum that a raw file is sent with.
    digest: Callable[[bytes], Any] = hashlib.md5 if is_json else hashlib.sha256
    own = threading.local()

    def run() -> None:
        raw: Any = getattr(own, "raw", None)
        if raw is None:
            own.connection = services.db.reader.connect()
            own.raw = raw = own.connection.connection.dbapi_connection
            raw.set_progress_handler(None, 0)  # the limit on statements is of requests
        for statement in statements:
            raw.execute(statement).fetchall()
        read_git()
        digest(encode(content) if is_json else body).hexdigest()

    return run


async def _ask(application: ASGIApp, path: str, token: str, *headers: tuple[bytes, bytes]) -> bytes:
    chunks: list[bytes] = []

    async def receive() -> MutableMapping[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.body":
            chunks.append(message.get("body", b""))
        elif message["status"] != 200:
            raise RuntimeError(f"{path}: {message['status']}")

    place, _, query = f"/api/v4{path}".partition("?")
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET", "scheme": "http",
        "path": place, "raw_path": place.encode(), "query_string": query.encode(), "root_path": "",
        "headers": [(b"host", b"localhost"), (b"private-token", token.encode()), *headers],
        "client": ("127.0.0.1", 0), "server": ("localhost", 80),
    }  # fmt: skip
    await application(scope, receive, send)
    return b"".join(chunks)


def _table(lines: list[Line]) -> str:
    head = (
        "| Read | requests/s | statements | floor µs | again µs | again / floor | anew µs | anew / floor | handler µs"
        " | handler / floor | floor alone µs |\n"
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    )
    rows = [
        f"| {line.name} | {line.per_second:.0f} | {line.statements} | {line.floor:.0f} | {line.again:.0f}"
        f" | {line.again / line.floor:.1f} | {line.anew:.0f} | {line.anew / line.floor:.1f} | {line.handler:.0f}"
        f" | {line.handler / line.floor:.1f} | {line.floor_alone:.0f} |"
        for line in lines
    ]
    return "\n".join([head, *rows])
