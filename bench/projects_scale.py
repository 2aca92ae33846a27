"""The project list at 1,000 and at 1,000,000 projects: first page, last keyset page and search by substring.

On both databases, or on the one that INGOT_BENCH_DB names (`sqlite`, `postgres`). With INGOT_BENCH_ROWS=100000 it is
quicker, and the figures are only printed. To measure again without filling, name a database on a server that has
`pg_trgm`: INGOT_BENCH_SERVER=postgresql://postgres@localhost:5432/postgres. Databases stay there, bench_projects_1000
and so on.
"""

from __future__ import annotations

import asyncio
import os
import random
import tempfile
import time
from collections.abc import Iterator
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from typing import Any

import httpx
from sqlalchemy import Connection, insert, select

from bench._bulk import indexes_last, insert_rows
from bench._clock import ProcessorClock
from bench._page import write_section
from bench._postgres import chosen, databases
from ingot import app
from ingot import settings as configuration
from ingot.access.authorizations import refresh_groups
from ingot.access.levels import FEATURES
from ingot.access.tables import members, namespace_ancestors, namespaces, projects
from ingot.features.people.users import create_user
from ingot.features.spaces.projects.commands.texts import search_values
from ingot.features.spaces.projects.tables import project_statistics
from ingot.identity import tokens
from ingot.identity.tables import users
from ingot.kit import schema
from ingot.kit.services import Services

MANY = 1_000_000
SMALL, LARGE = 1_000, int(os.environ.get("INGOT_BENCH_ROWS", MANY))
ROUNDS = 25
# Until every connection has prepared the statements, PostgreSQL plans them anew, which takes longer on large tables.
WARMING = 75
# A page that takes a second is asked for less often, once the rounds have taken so many seconds.
PATIENCE, FEWEST = 40.0, 8
LIMIT = 1.2
FRESH = {"Cache-Control": "no-cache"}  # an answer that is given again costs the same at any size
WORDS = ("engine", "light", "harbour", "ledger", "orbit", "paper", "quartz", "river", "signal", "timber")
EPOCH = datetime(2024, 1, 1, tzinfo=UTC)


def fill(services: Services, number: int) -> dict[str, str | None]:
    """A database with so many projects in groups of a hundred, one of them the member's; returns a token by caller."""
    with services.db.write() as tx:
        if known := tx.execute(select(users.c.username, users.c.id)).all():
            named = {row.username: tokens.create(tx, row.id, "bench", ["api"])[1] for row in known}
            return {"anonymous": None, "member": named["ben"], "administrator": named["root"]}
        root = create_user(tx, username="root", name="Root", email="root@example.com", is_admin=True)
        ben = create_user(tx, username="ben", name="Ben", email="ben@example.com")
        result = {"anonymous": None, "member": tokens.create(tx, ben, "bench", ["api"])[1]}
        result["administrator"] = tokens.create(tx, root, "bench", ["api"])[1]
        groups = _groups(tx, number // 100)
        tx.execute(
            insert(members).values(user_id=ben, group_id=groups[0], access_level=30, created_at=EPOCH, updated_at=EPOCH)
        )
    with indexes_last(services.db, projects):
        for start in range(0, number, 10_000):
            with services.db.write() as tx:
                insert_rows(tx, projects, _rows(groups, start, min(start + 10_000, number)))
    with services.db.write() as tx:
        ids = tx.execute(select(projects.c.id)).scalars().all()
        insert_rows(tx, project_statistics, ({"project_id": project_id} for project_id in ids))
        refresh_groups(tx, groups[:1])
    analyze(services)
    return result


def analyze(services: Services) -> None:
    """What running servers do by themselves: without it PostgreSQL counts by reading rows, SQLite reads a long log."""
    statements = ("ANALYZE", "PRAGMA wal_checkpoint(TRUNCATE)") if services.db.is_sqlite else ("VACUUM ANALYZE",)
    with services.db.read() as conn:
        for statement in statements:
            conn.exec_driver_sql(statement)


def _groups(tx: Connection, number: int) -> list[int]:
    moments = {"settings": {}, "created_at": EPOCH, "updated_at": EPOCH}
    paths = [f"group-{place}" for place in range(number)]
    insert_rows(
        tx,
        namespaces,
        (
            {"kind": "group", "name": path, "path": path, "full_path": path, "full_path_lower": path}
            | {"full_name": path, "visibility": 20, **moments}
            for path in paths
        ),
    )
    is_group = namespaces.c.kind == "group"
    ids = tx.execute(select(namespaces.c.id).where(is_group).order_by(namespaces.c.id)).scalars().all()
    own = ({"namespace_id": group_id, "ancestor_id": group_id, "depth": 0} for group_id in ids)
    insert_rows(tx, namespace_ancestors, own)
    return list(ids)


def _rows(groups: list[int], start: int, end: int) -> Iterator[dict[str, Any]]:
    draw = random.Random(start)
    for number in range(start, end):
        place = number % len(groups)
        name, path = f"{WORDS[number % 10]} {number}", f"{WORDS[number % 7]}-{number}"
        description = f"A project about {WORDS[number % 3]} and {WORDS[number % 9]}"
        if number % 50 == 0 and number < SMALL:
            description += " with a zeppelin"
        full_path = f"group-{place}/{path}"
        moment = EPOCH + timedelta(seconds=number)
        yield {
            "namespace_id": groups[place],
            "name": name,
            "path": path,
            **search_values(name, path, description),
            "full_path": full_path,
            "full_path_lower": full_path,
            "full_name": f"group-{place} / {name}",
            "description": description,
            "description_html": f"<p>{description}</p>",
            "visibility": draw.choice((0, 0, 10, 20, 20)),
            "settings": {"runners_token": f"GR1348941{number:020}"},
            **{f"{feature}_access_level": int(level) for feature, level in FEATURES.items()},
            "created_at": moment,
            "updated_at": moment,
            "last_activity_at": moment,
        }


def calls(number: int) -> dict[str, dict[str, Any]]:
    """The calls that must not grow with the number of projects."""
    return {
        "first page": {"per_page": 20},
        "first page, simple": {"per_page": 20, "simple": "true"},
        "by name": {"per_page": 20, "order_by": "name", "sort": "asc"},
        "by last activity": {"per_page": 20, "order_by": "last_activity_at"},
        "last keyset page": {
            "per_page": 20,
            "pagination": "keyset",
            "order_by": "id",
            "sort": "asc",
            "id_after": number - 20,
        },
        "search, rare": {"per_page": 20, "search": "zeppel"},
        "search, common": {"per_page": 20, "search": "project"},
        "search, two terms": {"per_page": 20, "search": "ghtly zep"},
        "search, none": {"per_page": 20, "search": "xylophone"},
        "search, two letters": {"per_page": 20, "search": "zq"},
    }


class Site:
    """The service over a database of one size."""

    def __init__(self, number: int, folder: Path, database_url: str) -> None:
        self.number = number
        settings = configuration.make({"data": str(folder), "database_url": database_url, "worker": False})
        self.services = app.build_services(settings)
        schema.prepare(self.services.db)
        self.tokens = fill(self.services, number)
        transport = httpx.ASGITransport(app=app.build(self.services))
        self.client = httpx.AsyncClient(transport=transport, base_url="http://bench")
        self.clock = ProcessorClock(self.services.db)

    async def seconds(self, caller: str, params: dict[str, Any]) -> float:
        """Processor time of one call."""
        token = self.tokens[caller]
        self.clock.start()
        headers = {"PRIVATE-TOKEN": token, **FRESH} if token else FRESH
        answer = await self.client.get("/api/v4/projects", params=params, headers=headers)
        answer.raise_for_status()
        return self.clock.elapsed()

    def close(self) -> None:
        """Stop the threads and close the database."""
        self.services.pools.close()
        self.services.db.dispose()


async def compare(small: Site, large: Site) -> dict[tuple[str, str], tuple[float, float]]:
    """Milliseconds at both sizes by caller and call, medians, in turns, so that a busy machine slows both."""
    result = {}
    for caller in small.tokens:
        for name in calls(0):
            times: tuple[list[float], list[float]] = ([], [])
            end = time.monotonic() + PATIENCE
            while len(times[0]) < FEWEST or (len(times[0]) < ROUNDS + WARMING and time.monotonic() < end):
                for site, measured in zip((small, large), times, strict=True):
                    measured.append(await site.seconds(caller, calls(site.number)[name]))
            warm = len(times[0]) * WARMING // (ROUNDS + WARMING)
            few, many = (median(one[warm:]) * 1000 for one in times)
            print(f"{caller}, {name}: {few:.1f} and {many:.1f} ms", flush=True)
            result[caller, name] = (few, many)
    return result


def main() -> None:
    """Print and write the tables, worst ratio last."""
    app.load_features()
    for database in chosen():
        on_server = database == "PostgreSQL"
        with (
            tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place,
            databases("projects", (SMALL, LARGE)) if on_server else nullcontext(dict[int, str]()) as urls,
        ):
            sites = [Site(number, Path(place, str(number)), urls.get(number, "")) for number in (SMALL, LARGE)]
            result = asyncio.run(compare(*sites))
            for site in sites:
                site.close()
        _tell(database, result)


def _tell(database: str, result: dict[tuple[str, str], tuple[float, float]]) -> None:
    head = f"| Caller | Projects, {database} | {SMALL:,} | {LARGE:,} | ratio |\n|---|---|---:|---:|---:|"
    rows = [
        f"| {caller} | {name} | {few:.1f} ms | {many:.1f} ms | {marked(many / few)} |"
        for (caller, name), (few, many) in sorted(result.items(), key=lambda entry: entry[1][1] / entry[1][0])
    ]
    table = "\n".join([head, *rows])
    print(table)
    about = f"""\
Processor time, the database's included, medians of {ROUNDS} (fewer of a page that takes a second); each page is made
anew. At most {LIMIT} is the goal; what is above it is **marked**. Totals are counted up to 10,000. The member belongs
to a group of a hundred projects."""
    if LARGE >= MANY:
        write_section(f"Lists of projects on {database}", f"{about}\n\n{table}")


def marked(ratio: float) -> str:
    """The ratio, bold where it misses the goal."""
    return f"{ratio:.2f}" if ratio <= LIMIT else f"**{ratio:.2f}**"


if __name__ == "__main__":
    main()
