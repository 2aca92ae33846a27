"""Estimates and time spent on merge requests and issues."""

from typing import Any

import gitlab
import pytest

from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def project(world: World, owner: Person) -> dict[str, Any]:
    return world.project(owner, initialize_with_readme=True, visibility="public")


@pytest.fixture(params=["merge_requests", "issues"])
def path(request: pytest.FixtureRequest, world: World, owner: Person, project: dict[str, Any]) -> str:
    if request.param == "issues":
        created = owner.client.ok("POST", f"/projects/{project['id']}/issues", json={"title": "a"})
    else:
        created = world.merge_request(project, owner)
    return f"/projects/{project['id']}/{request.param}/{created['iid']}"


def test_the_whole_story(owner: Person, path: str) -> None:
    estimated = owner.client.post(f"{path}/time_estimate", json={"duration": "1w 1d 1h 40m"})
    assert (estimated.status_code, estimated.json()["time_estimate"]) == (200, 178800)
    assert estimated.json()["human_time_estimate"] == "1w 1d 1h 40m"
    spent = owner.client.post(f"{path}/add_spent_time", json={"duration": "3h30m", "summary": "thinking"})
    assert (spent.status_code, spent.json()["total_time_spent"]) == (201, 12600)
    back = owner.client.ok("POST", f"{path}/add_spent_time", json={"duration": "-30m"})
    assert back["human_total_time_spent"] == "3h"

    stats = owner.client.ok("GET", f"{path}/time_stats")

    assert stats == back == owner.client.ok("GET", path)["time_stats"]
    reset = owner.client.post(f"{path}/reset_time_estimate")
    assert (reset.status_code, reset.json()["time_estimate"], reset.json()["human_time_estimate"]) == (200, 0, None)
    forgotten = owner.client.post(f"{path}/reset_spent_time")
    assert (forgotten.status_code, forgotten.json()["total_time_spent"]) == (200, 0)
    texts = [note["body"] for note in owner.client.get(f"{path}/notes", sort="asc").json()]
    assert texts == [
        "changed time estimate to 1w 1d 1h 40m", "added 3h 30m of time spent", "subtracted 30m of time spent",
        "removed time estimate", "removed time spent",
    ]  # fmt: skip


def test_errors(world: World, owner: Person, path: str) -> None:
    too_much = {"message": {"base": ["Time to subtract exceeds the total time spent"]}}
    for call, status, body in (
        (owner.client.post(f"{path}/time_estimate", json={}), 400, {"error": "duration is missing"}),
        (owner.client.post(f"{path}/add_spent_time", json={"duration": "-1h"}), 400, too_much),
        (
            owner.client.post(f"{path}/add_spent_time", json={"duration": "soon"}), 400,
            {"message": {"duration": ["is invalid"]}},
        ),
        (world.anonymous.post(f"{path}/time_estimate", json={"duration": "1h"}), 401, {"message": "401 Unauthorized"}),
    ):  # fmt: skip
        assert (call.status_code, call.json()) == (status, body)
    for wrong in ("soon", "-1h", ""):
        refused = owner.client.post(f"{path}/time_estimate", json={"duration": wrong})
        assert refused.status_code == 400
        assert "must have a valid format and be greater than or equal to zero." in refused.json()["message"]
    assert world.anonymous.get(f"{path}/time_stats").status_code == 200


def test_roles(world: World, project: dict[str, Any], path: str) -> None:
    planners = 200 if "/issues/" in path else 403
    for role, status in (
        ("guest", 403), ("planner", planners), ("reporter", planners), ("developer", 200), ("maintainer", 200),
    ):  # fmt: skip
        person = world.user()
        world.member(project, person, role)
        assert person.client.post(f"{path}/time_estimate", json={"duration": "1h"}).status_code == status, role
    assert world.user().client.post(f"{path}/reset_spent_time").status_code == 403


def test_private_requests_are_not_found(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    created = world.merge_request(project, owner)
    guest = world.user()
    world.member(project, guest, "guest")

    path = f"/projects/{project['id']}/merge_requests/{created['iid']}"

    assert guest.client.get(f"{path}/time_stats").json() == {"message": "404 Not found"}
    assert guest.client.post(f"{path}/time_estimate", json={"duration": "1h"}).status_code == 404


def test_python_gitlab_tracks_time(world: World, owner: Person, project: dict[str, Any]) -> None:
    created = world.merge_request(project, owner)
    with gitlab.Gitlab(world.server.url, private_token=owner.token) as client:
        requests = client.projects.get(project["id"]).mergerequests
        request = requests.get(created["iid"])
        request.time_estimate("2h")
        request.add_spent_time("1h")
        stats = requests.get(created["iid"]).attributes["time_stats"]
        assert (stats["time_estimate"], stats["total_time_spent"]) == (7200, 3600)
        request.reset_time_estimate()
        request.reset_spent_time()
