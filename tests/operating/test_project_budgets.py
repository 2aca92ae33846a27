"""What all callers of one project may ask for together: beyond it they are refused, and callers of others are not."""

from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import httpx
import pytest

from ingot.kit.rate_windows import rate_windows
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.waiting import until_refused
from tests.support.world import Person, World

SENTENCE = "This endpoint has been requested too many times. Try again later."


class Town:
    """Two people who share busy projects, and one with a project of her own."""

    def __init__(self, server: RunningServer) -> None:
        self.server, self.world = server, World(server)
        self.anna, self.ben, self.carla = (self.world.user(name) for name in ("anna", "ben", "carla"))
        self.quiet = self.project(self.carla)

    def shared(self) -> dict[str, Any]:
        """A new busy project: what one test uses up, no other misses."""
        project = self.project(self.anna)
        self.world.member(project, self.ben, "maintainer")
        return project

    def project(self, owner: Person) -> dict[str, Any]:
        return self.world.project(owner, initialize_with_readme=True, visibility="public")

    def use_up(self, project: dict[str, Any]) -> None:
        """As if many others had asked the same of the project in this minute."""
        mine = rate_windows.c.key.contains(f":project:{project['id']}:users")
        with self.server.services.db.write() as tx:
            tx.execute(rate_windows.update().where(mine).values(observed=1_000_000))


@pytest.fixture(scope="module")
def town(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    data = tmp_path_factory.mktemp("data")
    limits = {"rate_limits": True, "rate_limit_callers_per_project": 1}
    with RunningServer(databases.fresh(data), data, job_request_wait=0, **limits) as server:
        yield Town(server)


def archive(person: Person, project: dict[str, Any]) -> httpx.Response:
    return person.client.get(f"/projects/{project['id']}/repository/archive")


def export(person: Person, project: dict[str, Any]) -> httpx.Response:
    return person.client.post(f"/projects/{project['id']}/export")


def search(person: Person, project: dict[str, Any]) -> httpx.Response:
    return person.client.get(f"/projects/{project['id']}/search?scope=blobs&search=README")


def assert_refused(answer: httpx.Response, name: str) -> None:
    assert (answer.status_code, answer.headers["RateLimit-Name"]) == (429, name)
    assert answer.json() == {"message": {"error": SENTENCE}}
    assert int(answer.headers["Retry-After"]) > 0


def test_two_people_share_what_one_project_may_have(town: Town) -> None:
    busy, people = town.shared(), cycle((town.anna, town.ben))

    refused = until_refused(lambda: archive(next(people), busy), 200)

    # Neither is over the limit of one caller.
    assert_refused(refused, "project_repositories_archive_per_project")
    assert archive(town.carla, town.quiet).status_code == 200
    assert archive(town.ben, town.quiet).status_code == 200


def test_strangers_have_a_budget_apart(town: Town) -> None:
    busy, stranger = town.shared(), town.server.client(None)

    def ask_after_others() -> httpx.Response:
        town.use_up(busy)
        return archive(town.anna, busy)

    refused = until_refused(ask_after_others, 200)

    assert_refused(refused, "project_repositories_archive_per_project")
    assert stranger.get(f"/projects/{busy['id']}/repository/archive").status_code == 200


@pytest.mark.parametrize(
    ("ask", "name", "usual"), [(export, "project_export", 202), (search, "search_rate_limit", 200)]
)
def test_exports_and_searches_of_a_project_are_counted_together(
    town: Town, ask: Callable[[Person, dict[str, Any]], httpx.Response], name: str, usual: int
) -> None:
    busy = town.shared()

    def ask_after_others() -> httpx.Response:
        town.use_up(busy)
        return ask(town.anna, busy)

    assert_refused(until_refused(ask_after_others, usual), f"{name}_per_project")
    assert ask(town.carla, town.quiet).status_code == usual
    assert ask(town.anna, town.quiet).status_code != 429


def test_runners_of_a_project_are_counted_together(town: Town) -> None:
    def runner(project: dict[str, Any]) -> str:
        options = {"runner_type": "project_type", "project_id": project["id"]}
        token: str = town.server.client().ok("POST", "/user/runners", json=options)["token"]
        return token

    busy = town.shared()
    first, second, other = runner(busy), runner(busy), runner(town.quiet)
    stranger = town.server.client(None)

    def ask_after_others() -> httpx.Response:
        town.use_up(busy)
        return stranger.post("/jobs/request", json={"token": first})

    assert_refused(until_refused(ask_after_others, 204), "runner_jobs_request_api_per_project")
    assert stranger.post("/jobs/request", json={"token": second}).status_code == 429
    assert stranger.post("/jobs/request", json={"token": other}).status_code == 204


def test_without_rate_limits_projects_have_no_budget(databases: Databases, tmp_path: Path) -> None:
    with RunningServer(databases.fresh(tmp_path), tmp_path, rate_limit_callers_per_project=1) as server:
        town = Town(server)
        busy, people = town.shared(), cycle((town.anna, town.ben))

        assert {archive(next(people), busy).status_code for _ in range(14)} == {200}
