"""Lists over a small and a large database: what a call costs at both sizes, in turn.

A list of more than ten thousand rows has no total, and that it is so long is remembered for ten seconds
(`ingot.kit.large_counts`). *Cold* is a call for which nothing is remembered, so that the rows are counted.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import httpx

from bench._clock import ProcessorClock
from bench._page import marked, write_section
from bench._postgres import databases, version_of
from ingot import app
from ingot import settings as configuration
from ingot.kit import large_counts, schema
from ingot.kit.large_counts import COUNT_LIMIT, MARGIN, SECONDS
from ingot.kit.services import Services

MANY = 1_000_000
SMALL, LARGE = 1_000, int(os.environ.get("INGOT_BENCH_ROWS", MANY))
ROUNDS = 25
# Until every connection has prepared the statements, PostgreSQL plans them anew, which takes longer on large tables.
WARMING = 75
# A page that takes a second is asked for less often, once the rounds have taken so many seconds.
PATIENCE, FEWEST = 80.0, 8
LIMIT = 1.2
FRESH = {"Cache-Control": "no-cache"}  # an answer that is given again costs the same at any size
WORDS = ("engine", "light", "harbour", "ledger", "orbit", "paper", "quartz", "river", "signal", "timber")
EPOCH = datetime(2024, 1, 1, tzinfo=UTC)


class Call(NamedTuple):
    """Who asks for what."""

    caller: str
    path: str
    params: Mapping[str, Any]


class Site:
    """The service over a database of one size. `fill` returns the token of each caller, empty where nobody says who."""

    def __init__(
        self, number: int, place: Path, database_url: str, fill: Callable[[Services, int], Mapping[str, str]]
    ) -> None:
        self.number = number
        folder = place / str(number)
        folder.mkdir()
        settings = configuration.make({"data": str(folder), "database_url": database_url, "worker": False})
        app.load_features()
        self.services = app.build_services(settings)
        schema.prepare(self.services.db)
        self.tokens = fill(self.services, number)
        analyze(self.services)
        transport = httpx.ASGITransport(app=app.build(self.services))
        self.client = httpx.AsyncClient(transport=transport, base_url="http://bench")
        self.clock = ProcessorClock(self.services.db)

    async def seconds(self, call: Call) -> float:
        """Processor time of one call, with that of the database."""
        token = self.tokens[call.caller]
        self.clock.start()
        headers = {"PRIVATE-TOKEN": token, **FRESH} if token else FRESH
        answer = await self.client.get(f"/api/v4{call.path}", params=dict(call.params), headers=headers)
        answer.raise_for_status()
        return self.clock.elapsed()

    def close(self) -> None:
        """Stop the threads and close the database."""
        self.services.pools.close()
        self.services.db.dispose()


def analyze(services: Services) -> None:
    """What running servers do by themselves: without it PostgreSQL counts by reading rows, SQLite reads a long log."""
    statements = ("ANALYZE", "PRAGMA wal_checkpoint(TRUNCATE)") if services.db.is_sqlite else ("VACUUM ANALYZE",)
    with services.db.read() as conn:
        for statement in statements:
            conn.exec_driver_sql(statement)


@dataclass(frozen=True, slots=True)
class Pair:
    """Milliseconds at both sizes."""

    small: float
    large: float

    @property
    def ratio(self) -> float:
        """What the large one costs by the small one."""
        return self.large / self.small

    def cells(self) -> str:
        """Of the table."""
        return f"{self.small:.1f} ms | {self.large:.1f} ms | {marked(self.ratio, LIMIT)}"


@dataclass(frozen=True, slots=True)
class Measured:
    """A list that is known to be long, and one that is counted; medians of so many rounds."""

    known: Pair
    cold: Pair
    rounds: int


Calls = dict[tuple[str, ...], Call]
"""By what the first columns of the table say."""


def compare(
    what: str, database: str, fill: Callable[[Services, int], Mapping[str, str]], calls: Callable[[Site], Calls]
) -> tuple[dict[tuple[str, ...], Measured], str]:
    """Measure all calls on one kind of database, and which version a server had."""
    on_server = database == "PostgreSQL"
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place,
        databases(what, (SMALL, LARGE)) if on_server else nullcontext(dict[int, str]()) as urls,
    ):
        small, large = (Site(number, Path(place), urls.get(number, ""), fill) for number in (SMALL, LARGE))
        result = asyncio.run(_measure_all(small, large, calls))
        version = version_of(urls[LARGE]) if on_server else ""
        for site in (small, large):
            site.close()
    return result, version


async def _measure_all(small: Site, large: Site, calls: Callable[[Site], Calls]) -> dict[tuple[str, ...], Measured]:
    result = {}
    of_large = calls(large)
    for name, call in calls(small).items():
        result[name] = one = await _measure(((small, call), (large, of_large[name])))
        print(f"{', '.join(name)}: {one.known.cells()}, cold {one.cold.cells()}", flush=True)
    return result


async def _measure(asked: Sequence[tuple[Site, Call]]) -> Measured:
    """In turn, each first every other time, so that a busy machine slows both alike."""
    known: dict[int, list[float]] = {SMALL: [], LARGE: []}
    cold: dict[int, list[float]] = {SMALL: [], LARGE: []}
    end, number = time.monotonic() + PATIENCE, 0
    while number < FEWEST or (number < ROUNDS + WARMING and time.monotonic() < end):
        in_turn = asked if number % 2 else asked[::-1]
        large_counts._until.clear()  # noqa: SLF001 - servers forget by time, which nobody waits for here
        for times in (cold, known):
            for site, call in in_turn:
                times[site.number].append(await site.seconds(call))
        number += 1
    first = number * WARMING // (ROUNDS + WARMING)

    def pair(times: dict[int, list[float]]) -> Pair:
        few, many = (median(measured[first:]) * 1000 for measured in times.values())
        return Pair(few, many)

    return Measured(pair(known), pair(cold), number - first)


def write(title: str, columns: Sequence[str], result: Mapping[tuple[str, ...], Measured], *, version: str) -> None:
    """Print the table, worst ratio last, and write its section if the sizes are those of the goal."""
    sizes = f"{SMALL:,} | {LARGE:,} | ratio"
    rows = [
        f"| {' | '.join(columns)} | {sizes} | cold: {sizes} |",
        f"|{'---|' * len(columns)}{'---:|' * 6}",
        *(
            f"| {' | '.join(name)} | {one.known.cells()} | {one.cold.cells()} |"
            for name, one in sorted(result.items(), key=lambda entry: entry[1].known.ratio)
        ),
    ]
    table = "\n".join(rows)
    print(table)
    if LARGE >= MANY:
        write_section(title, f"{_about(min(one.rounds for one in result.values()))}\n\n{table}", postgres=version)


def _about(fewest: int) -> str:
    rounds = f"{ROUNDS} rounds" if fewest >= ROUNDS else f"{ROUNDS} rounds ({fewest} of the slowest page)"
    bound = COUNT_LIMIT + MARGIN + 1
    return f"""\
Processor time, the database's included, medians of {rounds}; each page is made anew. At most {LIMIT} is the
goal; what is above it is **marked**. Totals are shown up to {COUNT_LIMIT:,}: a count ends at {bound:,} rows that
match. That there are so many is remembered for {SECONDS:.0f} seconds, in which nobody counts them again. *Cold* is the
call that does: it may take longer than where there are only {SMALL:,} rows to count, up to that bound."""
