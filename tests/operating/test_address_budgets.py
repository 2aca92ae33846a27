"""What all of one address may ask for together, and that one who asks without pause takes nothing from others."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Self

import httpx
import pytest

from ingot.features.ci.runners.offering import PER_MINUTE
from ingot.kit.rate_windows import rate_windows
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.waiting import until_refused
from tests.support.world import Person, World

ORDINARY = 20
CONNECTIONS = 6


class From:
    """A client with an address of its own on this machine."""

    def __init__(self, server: RunningServer, address: str, token: str | None = None) -> None:
        self._http = httpx.Client(
            base_url=f"{server.url}/api/v4",
            headers={} if token is None else {"PRIVATE-TOKEN": token},
            transport=httpx.HTTPTransport(local_address=address),
            timeout=120,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def get(self, path: str) -> httpx.Response:
        return self._http.get(path)

    def post(self, path: str, body: object = None) -> httpx.Response:
        return self._http.post(path, json=body)


def project_of(world: World, person: Person) -> dict[str, Any]:
    return world.project(person, initialize_with_readme=True, visibility="public")


def runner_token(server: RunningServer) -> str:
    token: str = server.client().ok("POST", "/user/runners", json={"runner_type": "instance_type"})["token"]
    return token


def use_up(server: RunningServer, part: str, number: int = 1_000_000) -> None:
    """As if others had asked so often in this minute."""
    with server.services.db.write() as tx:
        tx.execute(rate_windows.update().where(rate_windows.c.key.contains(part)).values(observed=number))


@pytest.fixture(scope="module")
def server(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    data = tmp_path_factory.mktemp("data")
    limits = {"rate_limits": True, "rate_limit_callers_per_address": 1}
    with RunningServer(databases.fresh(data), data, job_request_wait=0, **limits) as running:
        yield running


@pytest.mark.parametrize(
    ("ask", "name", "usual"),
    [
        (lambda client, project, _: client.get(f"/projects/{project['id']}/repository/archive"),
         "project_repositories_archive", 200),
        (lambda client, project, _: client.get(f"/projects/{project['id']}/search?scope=blobs&search=README"),
         "search_rate_limit", 200),
        (lambda client, project, _: client.post(f"/projects/{project['id']}/export"), "project_export", 202),
        (lambda client, _, runner: client.post("/jobs/request", {"token": runner}), "runner_jobs_request_api", 204),
    ],
)  # fmt: skip
def test_people_of_one_address_share_a_budget(
    server: RunningServer, ask: Callable[[From, dict[str, Any], str], httpx.Response], name: str, usual: int
) -> None:
    world = World(server)
    anna, ben = world.user(), world.user()
    mine, yours = project_of(world, anna), project_of(world, ben)
    runners = [runner_token(server) for _ in range(3)]
    with (
        From(server, "127.0.3.1", anna.token) as first,
        From(server, "127.0.3.1", ben.token) as second,
        From(server, "127.0.3.2", ben.token) as elsewhere,
    ):

        def ask_after_others() -> httpx.Response:
            use_up(server, f"{name}_per_address:ip:127.0.3.1")
            return ask(first, mine, runners[0])

        refused = until_refused(ask_after_others, usual)

        assert (refused.status_code, refused.headers["RateLimit-Name"]) == (429, f"{name}_per_address")
        # Another person, with a project and runner of their own, from the same address and from another one.
        assert ask(second, yours, runners[1]).status_code == 429
        assert ask(elsewhere, yours, runners[2]).status_code == usual


@pytest.mark.costly
def test_one_abusive_client_takes_nothing_from_twenty_ordinary_ones(databases: Databases, tmp_path: Path) -> None:
    limits = {"rate_limits": True, "git_calls_per_address": 2, "git_call_wait": 0.2}
    with RunningServer(databases.fresh(tmp_path), tmp_path, job_request_wait=0, **limits) as server:
        world = World(server)
        owner, abuser = world.user(), world.user()
        shared, own = project_of(world, owner), project_of(world, abuser)
        people = [world.user() for _ in range(ORDINARY)]
        base, place = f"/projects/{own['id']}", f"/projects/{shared['id']}"
        paths = [place, *(f"{place}/repository/{part}" for part in ("branches", "tree", "commits"))]
        runner = runner_token(server)

        def greeds(client: From) -> dict[str, Callable[[], httpx.Response]]:
            def poll() -> httpx.Response:
                use_up(server, "runner_jobs_request_api:runner:", PER_MINUTE)
                return client.post("/jobs/request", {"token": runner})

            return {
                "archives": lambda: client.get(f"{base}/repository/archive"),
                "searches": lambda: client.get(f"{base}/search?scope=blobs&search=README"),
                "exports": lambda: client.post(f"{base}/export"),
                "polls": poll,
            }

        begun, ended = threading.Barrier(1 + CONNECTIONS), threading.Event()

        def blame_without_pause(_: int) -> None:
            with From(server, "127.0.2.1", abuser.token) as client:
                begun.wait()
                while not ended.is_set():
                    client.get(f"{base}/repository/files/README.md/blame?ref=main")

        def ask_as_usual(number: int) -> list[int]:
            with From(server, f"127.0.1.{number + 1}", people[number].token) as client:
                return [client.get(paths[(number + turn) % len(paths)]).status_code for turn in range(4)]

        with ThreadPoolExecutor(CONNECTIONS) as abusive, ThreadPoolExecutor(ORDINARY) as ordinary:
            blames = [abusive.submit(blame_without_pause, number) for number in range(CONNECTIONS)]
            try:
                begun.wait(60)
                with From(server, "127.0.2.1", abuser.token) as client:
                    for name, ask in greeds(client).items():
                        answers = [ordinary.submit(ask_as_usual, number) for number in range(ORDINARY)]
                        assert until_refused(ask, ask().status_code).status_code == 429, name
                        assert {status for answer in answers for status in answer.result()} == {200}, name
                    # Nor is anybody refused afterwards what only one had too much of.
                    with From(server, "127.0.1.1", people[0].token) as other:
                        assert other.get(f"{place}/repository/archive").status_code == 200
                        assert other.get(f"{place}/search?scope=blobs&search=README").status_code == 200
            finally:
                ended.set()
            for blame in blames:
                blame.result()
