"""Everyday reads: requests per second, the CPU time of a request, and the floor beside it, on both databases.

A read is measured asked again while nothing has changed, made anew, and made anew after a write. The floor is a plain
program that runs the same SQL as an answer made from nothing, with the driver, reads the same refs, commits or file
through libgit2, and encodes the same bytes with the digest in their headers. `python -m bench reads`
writes its sections of docs/benchmarks.md and the bars to docs/benchmarks.svg. INGOT_BENCH_DB names one database
(`sqlite`, `postgres`), INGOT_BENCH_SECONDS says how long each read is asked for under load. Another build is measured
with its sources in PYTHONPATH and INGOT_BENCH_PRINT_ONLY=1.
"""

from __future__ import annotations

import asyncio
import logging
import tempfile
import time
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from statistics import median
from typing import Any

from starlette.responses import Response
from starlette.types import ASGIApp

from bench import _chart, _reads_load
from bench._page import marked, write_section
from bench._postgres import chosen, empty_database, version_of
from bench._reads_floor import floor_of, git_reading, recording
from bench._reads_world import READS, elsewhere, fill, open_services
from ingot import app as composition
from ingot.kit.api import Api
from ingot.kit.call import Call
from ingot.kit.loading import without_collection
from ingot.kit.services import Services

ROUNDS = 5
TIMES = 40
GOAL = 2.0
FRESH = (b"cache-control", b"no-cache")
CAPTION = "µs of CPU: handler (dark), floor (light), on {}"
ABOUT = f"""\
{{}}, one process, {_reads_load.CLIENTS} clients beside it on the same machine. *again* and *anew* are the processor
time of the whole request inside the process, from the ASGI call to the last byte: asked again while nothing was
written since, and made anew (`Cache-Control: no-cache`). The *floor* is that of
[the handlers](#handlers-and-their-floor). Requests per second are of repeated requests."""
ABOUT_HANDLERS = f"""\
Processor time of the handler: from checking the caller to the encoded answer, without the way to the handler and back.
The *floor* is a plain program that runs the same SQL as an answer made from nothing with the driver, reads the same
commits, branches or file (with the commit that changed it last, which a header names) or the heads of a merge request's
branches (which show whether its stored check still holds) through libgit2, and encodes the same bytes with their
digest, which is a header of the answer too. The goal is {GOAL:.0f} times the floor; what is above it is **marked**.

In the first three columns of figures nothing was written since the last read, and the answer is made anew all the same
(`Cache-Control: no-cache`). The floor also reads what a process remembers meanwhile: the token, the project with the
caller's level, its protected branches; but not the settings of the instance, which a plain program reads when it
starts. In the next three the title of an issue of another project was changed before each read, so that the handler
reads again what a write may have changed. Handler and floor run in turn in the same thread, each first every other
time, and medians are shown; *floor alone* is the same program in a loop of its own, with nothing else in the caches of
the processor. On PostgreSQL the time of the server is not counted, for both alike."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Microseconds of the handler and of the floor, measured in turn."""

    handler: float
    floor: float

    def cells(self) -> str:
        """Of the table."""
        return f"{self.floor:.0f} | {self.handler:.0f} | {marked(self.handler / self.floor, GOAL)}"


@dataclass(frozen=True, slots=True)
class Line:
    """What was measured of one read."""

    name: str
    statements: int
    per_second: float
    again: float  # microseconds of the whole request inside the process, while nothing has changed
    anew: float  # the same of an answer that is made anew
    unchanged: Pair  # of that, from checking the caller to the encoded answer
    after_write: Pair
    floor_alone: float  # in a loop of its own


def main() -> None:
    """Measure, print, and write the page."""
    logging.disable(logging.WARNING)
    handlers: dict[str, list[Line]] = {}
    version = ""
    for database in chosen():
        on_server = database == "PostgreSQL"
        with (
            tempfile.TemporaryDirectory() as folder,
            empty_database("reads") if on_server else nullcontext("") as url,
        ):
            token = fill(folder, url)
            rates = _reads_load.rates(folder, url, token, READS)
            handlers[database] = lines = asyncio.run(_measure(folder, url, token, rates))
            version = version_of(url) if on_server else version
        table = _table(lines)
        print(f"{database}\n{table}")
        title = f"Everyday reads{f' on {database}' if on_server else ''}"
        write_section(title, f"{ABOUT.format(database)}\n\n{table}", postgres=version if on_server else "")
    table = _table_of_handlers(handlers)
    print(table)
    name, lines = next(iter(handlers.items()))
    pairs = [(line.name, line.unchanged.handler, line.unchanged.floor) for line in lines]
    chart = ("benchmarks.svg", _chart.bars(pairs, CAPTION.format(name)))
    write_section("Handlers and their floor", f"{ABOUT_HANDLERS}\n\n{table}", chart, postgres=version)


async def _measure(folder: str, url: str, token: str, rates: dict[str, float]) -> list[Line]:
    # As `ingot serve` does it: what stays until the end is not looked through again for garbage.
    with without_collection():
        services = open_services(folder, url)
        application = composition.build(services)
    write = elsewhere(services)
    try:
        return [await _line(services, application, name, token, rates[name], write) for name in READS]
    finally:
        services.pools.close()
        services.db.dispose()


async def _line(
    services: Services, application: ASGIApp, name: str, token: str, rate: float, write: Callable[[], None]
) -> Line:
    path = READS[name]
    for _ in range(10):  # PostgreSQL prepares what it was asked five times
        await _ask(application, path, token, FRESH)
    for forget in services.memories:
        forget()
    with recording(services) as statements:
        body = await _ask(application, path, token)
    again = await _cost(application, path, token)
    anew = await _cost(application, path, token, FRESH)
    floor = floor_of(services, statements, body, git_reading(services, name))
    with _timing_handlers(floor) as unchanged:
        await _cost(application, path, token, FRESH)
    with _timing_handlers(floor) as after_write:
        for _ in range(ROUNDS * TIMES):
            write()
            await _ask(application, path, token)
    if len(after_write[0]) < ROUNDS * TIMES:
        raise RuntimeError(f"{path}: an answer was given again after a write")
    alone = [_thread_time(floor) for _ in range(ROUNDS * TIMES)]
    return Line(name, len(statements), rate, again, anew, _pair(*unchanged), _pair(*after_write), median(alone) * 1e6)


def _pair(handlers: list[float], floors: list[float]) -> Pair:
    return Pair(median(handlers) * 1e6, median(floors) * 1e6)


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
        "| Read | requests/s | statements | floor µs | again µs | again / floor | anew µs | anew / floor |\n"
        "|---|---:|---:|---:|---:|---:|---:|---:|"
    )
    rows = []
    for line in lines:
        floor = line.unchanged.floor
        rows.append(
            f"| {line.name} | {line.per_second:.0f} | {line.statements} | {floor:.0f} | {line.again:.0f}"
            f" | {line.again / floor:.1f} | {line.anew:.0f} | {line.anew / floor:.1f} |"
        )
    return "\n".join([head, *rows])


def _table_of_handlers(databases: dict[str, list[Line]]) -> str:
    goal = f"handler / floor (goal {GOAL:.0f})"
    head = (
        f"| Database | Read | floor µs | handler µs | {goal} | after a write: floor µs | handler µs | {goal}"
        " | floor alone µs |\n|---|---|---:|---:|---:|---:|---:|---:|---:|"
    )
    rows = [
        f"| {database} | {line.name} | {line.unchanged.cells()} | {line.after_write.cells()} | {line.floor_alone:.0f} |"
        for database, lines in databases.items()
        for line in lines
    ]
    return "\n".join([head, *rows])
