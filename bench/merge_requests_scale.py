"""The merge request list of one project at 1,000 and at 1,000,000 requests: what grows with the project, and what not.

Databases, sizes and servers are chosen as in `projects_scale`.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from contextlib import nullcontext
from datetime import timedelta
from pathlib import Path
from statistics import median
from typing import Any

import httpx
from sqlalchemy import insert, select

from bench._bulk import indexes_last, insert_rows
from bench._clock import ProcessorClock
from bench._page import write_section
from bench._postgres import chosen, databases
from bench.projects_scale import (
    EPOCH,
    FRESH,
    LARGE,
    LIMIT,
    MANY,
    ROUNDS,
    SMALL,
    WARMING,
    WORDS,
    analyze,
    marked,
)
from ingot import app
from ingot import settings as configuration
from ingot.access.tables import projects
from ingot.features.people.users import create_user
from ingot.features.planning.labels import labels
from ingot.features.review.merge_requests import merge_request_labels, merge_requests
from ingot.features.spaces.projects import NewProject, create_project
from ingot.identity import tokens
from ingot.identity.tables import users
from ingot.kit import schema
from ingot.kit.actor import Actor
from ingot.kit.services import Services

AUTHORS = 50
CALLS: dict[str, dict[str, Any]] = {
    "first page": {},
    "page 40": {"page": 40},
    "state=opened": {"state": "opened"},
    "labels=bug": {"labels": "bug"},
    "labels=rare": {"labels": "rare"},
    "labels=bug,half": {"labels": "bug,half"},
    "labels=bug,rare": {"labels": "bug,rare"},
    "labels=Any": {"labels": "Any"},
    "labels=None": {"labels": "None"},
    "labels=bug&state=opened": {"labels": "bug", "state": "opened"},
    "not[labels]=bug": {"not[labels]": "bug"},
    "not[labels]=rare": {"not[labels]": "rare"},
    "author_username=author-7": {"author_username": "author-7"},
    "search=zeppelin": {"search": "zeppelin"},
    "search=xylophone": {"search": "xylophone"},
    "search=about": {"search": "about"},
    "order_by=updated_at": {"order_by": "updated_at"},
}


def fill(services: Services, number: int) -> tuple[str, int]:
    """One project with so many requests; returns a token and the project's id."""
    with services.db.write() as tx:
        known = tx.execute(select(users.c.id).where(users.c.username == "root")).scalar_one_or_none()
        if known is not None:
            return tokens.create(tx, known, "bench", ["api"])[1], tx.execute(select(projects.c.id)).scalar_one()
        root = create_user(tx, username="root", name="Root", email="root@example.com", is_admin=True)
        authors = [
            create_user(tx, username=f"author-{place}", name=f"Author {place}", email=f"a{place}@example.com")
            for place in range(AUTHORS)
        ]
        token = tokens.create(tx, root, "bench", ["api"])[1]
        project_id = create_project(
            tx, Actor(user_id=root, is_admin=True), NewProject(name="large", path="large", storage="default")
        )
        moments = {"created_at": EPOCH, "updated_at": EPOCH}
        named = {
            name: tx.execute(
                insert(labels).values(project_id=project_id, name=name, color="#fff", **moments).returning(labels.c.id)
            ).scalar_one()
            for name in ("bug", "rare", "half", "other")
        }
    with indexes_last(services.db, merge_requests, merge_request_labels):
        for start in range(0, number, 10_000):
            end = min(start + 10_000, number)
            with services.db.write() as tx:
                insert_rows(tx, merge_requests, _rows(project_id, authors, start, end))
                links = (
                    {"merge_request_id": place + 1, "label_id": named[name]}
                    for place in range(start, end)
                    for name in _labels_of(place)
                )
                insert_rows(tx, merge_request_labels, links)
    with services.db.write() as tx:
        tx.execute(projects.update().values(empty_repo=False))
    analyze(services)
    return token, project_id


def _labels_of(place: int) -> Iterator[str]:
    if place % 5 == 4:
        return
    yield "bug" if place % 3 == 0 else "other"
    if place % 2 == 0:
        yield "half"
    if place % 50 == 0 and place < SMALL:
        yield "rare"


def _rows(project_id: int, authors: list[int], start: int, end: int) -> Iterator[dict[str, Any]]:
    for place in range(start, end):
        moment = EPOCH + timedelta(seconds=place)
        rare = " zeppelin" if place % 50 == 0 and place < SMALL else ""
        yield {
            "iid": place + 1,
            "project_id": project_id,
            "source_project_id": project_id,
            "source_branch": f"topic-{place}",
            "target_branch": "main",
            "author_id": authors[place % AUTHORS],
            "title": f"{WORDS[place % 10]} {place}{rare}",
            "description": f"A change about {WORDS[place % 7]} and {WORDS[place % 9]}",
            "state": ("opened", "merged", "merged", "closed")[place % 4],
            "merge_status": "can_be_merged",
            "commits_count": 1,
            "created_at": moment,
            "updated_at": moment,
        }


class Site:
    """The service over a database of one size."""

    def __init__(self, number: int, folder: Path, database_url: str) -> None:
        settings = configuration.make({"data": str(folder), "database_url": database_url, "worker": False})
        self.services = app.build_services(settings)
        app.load_features()
        schema.prepare(self.services.db)
        self.token, self.project_id = fill(self.services, number)
        transport = httpx.ASGITransport(app=app.build(self.services))
        self.client = httpx.AsyncClient(transport=transport, base_url="http://bench")
        self.clock = ProcessorClock(self.services.db)

    async def seconds(self, params: dict[str, Any]) -> float:
        """Processor time of one call."""
        path = f"/api/v4/projects/{self.project_id}/merge_requests"
        self.clock.start()
        answer = await self.client.get(path, params=params, headers={"PRIVATE-TOKEN": self.token, **FRESH})
        answer.raise_for_status()
        return self.clock.elapsed()

    def close(self) -> None:
        """Stop the threads and close the database."""
        self.services.pools.close()
        self.services.db.dispose()


async def compare(small: Site, large: Site) -> dict[str, tuple[float, float]]:
    """Milliseconds at both sizes by call, medians, in turns, so that a busy machine slows both."""
    result = {}
    for name, params in CALLS.items():
        times: tuple[list[float], list[float]] = ([], [])
        for _ in range(ROUNDS + WARMING):
            for site, remaining in zip((small, large), times, strict=True):
                remaining.append(await site.seconds(params))
        few, many = (median(one[WARMING:]) * 1000 for one in times)
        result[name] = (few, many)
    return result


def main() -> None:
    """Print and write the tables."""
    for database in chosen():
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
            folders = {number: Path(place, str(number)) for number in (SMALL, LARGE)}
            for folder in folders.values():
                folder.mkdir()
            files = {number: f"sqlite:///{folder / 'ingot.db'}" for number, folder in folders.items()}
            on_server = database == "PostgreSQL"
            with databases("merge_requests", (SMALL, LARGE)) if on_server else nullcontext(files) as urls:
                sites = [Site(number, folder, urls[number]) for number, folder in folders.items()]
                result = asyncio.run(compare(*sites))
                for site in sites:
                    site.close()
        _tell(database, result)


def _tell(database: str, result: dict[str, tuple[float, float]]) -> None:
    head = f"| Merge requests, {database} | {SMALL:,} | {LARGE:,} | ratio |\n|---|---:|---:|---:|"
    rows = [
        f"| {name} | {small:.1f} ms | {large:.1f} ms | {marked(large / small)} |"
        for name, (small, large) in result.items()
    ]
    table = "\n".join([head, *rows])
    print(table)
    about = f"""\
Processor time, the database's included, medians of {ROUNDS}, in one project; each page is made anew. At most {LIMIT}
is the goal; what is above it is **marked**. Totals are counted up to 10,000."""
    if LARGE >= MANY:
        write_section(f"Lists of merge requests on {database}", f"{about}\n\n{table}")


if __name__ == "__main__":
    main()
