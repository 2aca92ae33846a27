"""Rate limits: off by default; on, they count over all nodes together and say when to come back."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import update

from ingot.features.ci.runners.offering import PER_MINUTE
from ingot.features.review.merge_requests.tables import merge_requests
from ingot.identity import tokens
from ingot.instance.tables import application_settings_table
from ingot.kit.clock import now
from ingot.kit.rate_windows import rate_windows
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.waiting import until_refused
from tests.support.world import World

ENDLESS = 1_000_000_000  # seconds: windows begin at multiples of it, so none begins while a test runs, before 2033


def lower_limit(server: RunningServer, name: str, number: int) -> None:
    with server.services.db.write() as tx:
        for key, value in ((f"{name}_requests_per_period", number), (f"{name}_period_in_seconds", ENDLESS)):
            tx.execute(application_settings_table.insert().values(name=key, value=value, updated_at=now()))


@pytest.fixture
def nodes(databases: Databases, tmp_path: Path) -> Iterator[tuple[RunningServer, RunningServer]]:
    url = databases.fresh(tmp_path)
    limited = {"rate_limits": True}
    with RunningServer(url, tmp_path, **limited) as one, RunningServer(url, tmp_path, **limited) as two:
        lower_limit(one, "throttle_authenticated_api", 6)
        lower_limit(one, "throttle_unauthenticated_api", 2)
        yield one, two


def test_nothing_is_counted_by_default(server: RunningServer) -> None:
    assert "RateLimit-Limit" not in server.client().get("/user").headers


def test_two_nodes_count_one_user_together(nodes: tuple[RunningServer, RunningServer]) -> None:
    one, two = nodes
    with one.services.db.write() as tx:
        token = tokens.create(tx, 1, "test", ["api"])[1]
    clients = [one.client(token), two.client(token)]

    answers = [clients[number % 2].get("/user") for number in range(8)]

    assert [answer.status_code for answer in answers] == [200] * 6 + [429] * 2
    refused = answers[-1]
    assert refused.json() == {"message": "Retry later"}
    assert refused.headers["RateLimit-Name"] == "throttle_authenticated_api"
    assert refused.headers["RateLimit-Observed"] == "8"
    assert refused.headers["RateLimit-Remaining"] == "0"
    assert int(refused.headers["Retry-After"]) > 0
    assert answers[0].headers["RateLimit-Remaining"] == "5"


def test_strangers_are_counted_by_address_apart_from_users(nodes: tuple[RunningServer, RunningServer]) -> None:
    one, _ = nodes
    stranger = one.client(None)

    answers = [stranger.get("/user").status_code for _ in range(3)]

    assert answers == [401, 401, 429]
    assert one.client().get("/user").status_code == 200


def test_a_changed_limit_and_text_hold_in_all_processes_within_a_second(databases: Databases, tmp_path: Path) -> None:
    url = databases.fresh(tmp_path)
    with RunningServer(url, tmp_path) as one, RunningServer(url, tmp_path) as two:
        with one.services.db.write() as tx:
            token = tokens.create(tx, 1, "test", ["api"])[1]
        clients = [one.client(token), two.client(token)]
        for client in clients:  # both have read the limits that are about to change
            assert client.get("/user").status_code == 200
        limits = {
            "throttle_authenticated_api_enabled": True,
            "throttle_authenticated_api_requests_per_period": 1,
            "throttle_authenticated_api_period_in_seconds": ENDLESS,
            "rate_limiting_response_text": "Come back tomorrow",
        }
        changed = clients[0].put("/application/settings", json=limits)
        assert changed.json()["rate_limiting_response_text"] == "Come back tomorrow"
        since = time.monotonic()

        for client in clients:
            reply = client.get("/user")
            began = since
            while reply.status_code == 200 and began - since <= 1:
                began = time.monotonic()
                reply = client.get("/user")

            # Either the limit held already, or this call began more than a second after the change.
            if reply.status_code == 200:
                reply = client.get("/user")
            assert (reply.status_code, reply.json()) == (429, {"message": "Come back tomorrow"})


def test_archives_and_questions_of_runners_are_counted_apart(databases: Databases, tmp_path: Path) -> None:
    with RunningServer(databases.fresh(tmp_path), tmp_path, rate_limits=True, job_request_wait=0) as server:
        world = World(server)
        anna, ben = world.user("anna"), world.user("ben")
        project = world.project(anna, initialize_with_readme=True, visibility="public")
        path = f"/projects/{project['id']}/repository/archive"
        eager, patient = (
            server.client().ok("POST", "/user/runners", json={"runner_type": "instance_type"}) for _ in range(2)
        )

        def ask(runner: dict[str, Any]) -> httpx.Response:
            return server.client(None).post("/jobs/request", json={"token": runner["token"]})

        def ask_after_many() -> httpx.Response:
            """As if the runner had asked without pause since it last asked in this minute."""
            mine = rate_windows.c.key.contains(f":runner:{eager['id']}:")
            with server.services.db.write() as tx:
                tx.execute(rate_windows.update().where(mine).values(observed=PER_MINUTE))
            return ask(eager)

        archive = until_refused(lambda: anna.client.get(path), 200)
        question = until_refused(ask_after_many, 204)

        for refused, name in ((archive, "project_repositories_archive"), (question, "runner_jobs_request_api")):
            assert (refused.status_code, refused.headers["RateLimit-Name"]) == (429, name)
            said = "This endpoint has been requested too many times. Try again later."
            assert refused.json() == {"message": {"error": said}}
        assert ben.client.get(path).status_code == 200
        assert ask(patient).status_code == 204


def test_a_request_that_begins_anew_in_a_thread_is_counted_once(databases: Databases, tmp_path: Path) -> None:
    with RunningServer(databases.fresh(tmp_path), tmp_path, rate_limits=True) as server:
        lower_limit(server, "throttle_authenticated_api", 100_000)  # far away, so that it is counted in memory
        world = World(server)
        project = world.project(initialize_with_readme=True)
        world.merge_request(project)
        place = f"/projects/{project['id']}/merge_requests?with_merge_status_recheck=true"
        seen = []
        for _ in range(5):
            answer = server.client().get(place)
            seen.append(int(answer.headers["RateLimit-Observed"]))
            with server.services.db.write() as tx:  # the next one has something to write
                tx.execute(update(merge_requests).values(merge_status="unchecked"))

    assert seen == list(range(seen[0], seen[0] + 5))
