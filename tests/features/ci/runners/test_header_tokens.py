"""Tokens of runners and jobs in their headers alone, without one in the body."""

from typing import Any

import pytest

from tests.support.runner import INFO, project_runner, zipped
from tests.support.world import Person, World

CONFIG = "build:\n  script: make\n  artifacts: {paths: [out]}\n"
MISSING = (400, {"error": "token is missing"})
FORBIDDEN = (403, {"message": "403 Forbidden"})


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture
def project(world: World, owner: Person) -> dict[str, Any]:
    created = world.project(owner, initialize_with_readme=True)
    world.commit(created, "main", {".gitlab-ci.yml": CONFIG}, message="CI [skip ci]", user_id=owner.id)
    return created


def test_a_runner_works_with_its_token_in_the_header_alone(
    world: World, owner: Person, project: dict[str, Any]
) -> None:
    token = project_runner(world, project).token
    client, mine = world.server.client(None), {"RUNNER-TOKEN": token}

    verified = client.post("/runners/verify", json={"system_id": "s_1", "info": INFO}, headers=mine)
    assert (verified.status_code, verified.json()["token"]) == (200, token)
    idle = client.post("/jobs/request", json={"info": INFO, "system_id": "s_1"}, headers=mine)
    assert (idle.status_code, "x-gitlab-last-update" in idle.headers) == (204, True)
    owner.client.ok("POST", f"/projects/{project['id']}/pipeline", json={"ref": "main"})
    taken = client.post("/jobs/request", json={"info": INFO, "system_id": "s_1"}, headers=mine)
    assert taken.status_code == 201
    assert client.delete("/runners/managers", params={"system_id": "s_1"}, headers=mine).status_code == 204
    renewed = client.post("/runners/reset_authentication_token", headers=mine)
    assert renewed.status_code == 201
    assert client.delete("/runners", headers=mine).status_code == 403  # the old one
    assert client.delete("/runners", headers={"RUNNER-TOKEN": renewed.json()["token"]}).status_code == 204


def test_a_job_works_with_its_token_in_the_header_alone(world: World, owner: Person, project: dict[str, Any]) -> None:
    owner.client.ok("POST", f"/projects/{project['id']}/pipeline", json={"ref": "main"})
    job = project_runner(world, project).take()

    assert job.patch(0, b"hello\n").status_code == 202
    assert job.upload(zipped({"out": "x"})).status_code == 201
    assert job.client.put(f"/jobs/{job.id}", json={"state": "success"}, headers=job.headers).status_code == 200
    assert owner.client.ok("GET", f"/projects/{project['id']}/jobs/{job.id}")["status"] == "success"


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/jobs/request"),
        ("POST", "/runners/verify"),
        ("POST", "/runners/reset_authentication_token"),
        ("DELETE", "/runners"),
        ("DELETE", "/runners/managers"),
    ],
)
def test_no_token_at_all_is_400_and_a_wrong_one_403(world: World, method: str, path: str) -> None:
    client = world.server.client(None)
    params = {"system_id": "s_1"}

    for headers, expected in (({}, MISSING), ({"RUNNER-TOKEN": ""}, MISSING), ({"RUNNER-TOKEN": "x"}, FORBIDDEN)):
        answer = client.request(method, path, params=params, headers=headers)
        assert (answer.status_code, answer.json()) == expected


def test_the_token_of_the_body_is_the_one_that_counts(world: World, project: dict[str, Any]) -> None:
    token = project_runner(world, project).token
    client = world.server.client(None)

    good = client.post("/runners/verify", json={"token": token}, headers={"RUNNER-TOKEN": "other"})
    bad = client.post("/runners/verify", json={"token": "other"}, headers={"RUNNER-TOKEN": token})

    assert (good.status_code, bad.status_code) == (200, 403)
