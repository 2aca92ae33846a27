"""Fetches are counted without a write for each."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import insert, text

from ingot.features.spaces.projects.tables import project_fetches
from ingot.kit.clock import today
from ingot.kit.db import Database
from tests.support import plain_http
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.world import World


@contextmanager
def writer_under_way(db: Database) -> Iterator[None]:
    """Nobody else can write on SQLite meanwhile, nor count fetches on PostgreSQL."""
    with db.write() as tx:
        if not db.is_sqlite:
            tx.execute(text("LOCK TABLE project_fetches"))
        yield


def fetch(server: RunningServer, project: dict[str, Any]) -> None:
    url = f"{server.url}/{project['path_with_namespace']}.git/info/refs"
    assert plain_http.get(url, params={"service": "git-upload-pack"}).status_code == 200


def counted(world: World, project: dict[str, Any]) -> dict[str, Any]:
    result: dict[str, Any] = world.admin.ok("GET", f"/projects/{project['id']}/statistics")["fetches"]
    return result


def public_project(world: World) -> dict[str, Any]:
    return world.project(initialize_with_readme=True, visibility="public")


def test_a_fetch_waits_for_no_writer(world: World, server: RunningServer) -> None:
    project = public_project(world)

    with writer_under_way(server.services.db):
        for _ in range(3):
            fetch(server, project)

    assert counted(world, project) == {"total": 3, "days": [{"count": 3, "date": today().isoformat()}]}


def test_counts_add_up_by_project_and_day(world: World, server: RunningServer) -> None:
    one, other = public_project(world), public_project(world)
    yesterday = today() - timedelta(days=1)
    with server.services.db.write() as tx:
        tx.execute(insert(project_fetches).values(project_id=one["id"], day=yesterday, count=5))

    for project in (one, other, one):
        fetch(server, project)
    assert counted(world, one)["total"] == 7
    fetch(server, one)

    assert [(day["date"], day["count"]) for day in counted(world, one)["days"]] == [
        (today().isoformat(), 3),
        (yesterday.isoformat(), 5),
    ]
    assert counted(world, other)["total"] == 1


def test_a_deleted_project_takes_no_count_of_others_with_it(world: World, server: RunningServer) -> None:
    deleted, other = public_project(world), public_project(world)

    fetch(server, deleted)
    fetch(server, other)
    world.admin.delete(f"/projects/{deleted['id']}")
    world.run_jobs()
    assert world.admin.get(f"/projects/{deleted['id']}").status_code == 404

    assert counted(world, other)["total"] == 1


def test_a_server_that_stops_writes_its_counts(databases: Databases, tmp_path: Path) -> None:
    database_url = databases.fresh(tmp_path)
    with RunningServer(database_url, tmp_path) as server:
        project = public_project(World(server))
        fetch(server, project)

    with RunningServer(database_url, tmp_path) as server:
        assert counted(World(server), project)["total"] == 1
