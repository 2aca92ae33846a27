"""How large an artifact may be: the project's own limit, else the closest group's, else the instance's."""

import os
from typing import Any

import pytest

from tests.support.runner import project_runner
from tests.support.world import Person, World

TOO_LARGE = (413, {"message": "file size has reached maximum size limit"})
CONFIG = "build:\n  script: make\n"
REPORT = os.urandom(1_500_000)


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


def _project(world: World, owner: Person, **more: Any) -> dict[str, Any]:
    created = world.project(owner, initialize_with_readme=True, **more)
    world.commit(created, "main", {".gitlab-ci.yml": CONFIG}, message="CI [skip ci]", user_id=owner.id)
    return created


def _upload(world: World, owner: Person, project: dict[str, Any]) -> tuple[int, Any]:
    runner = project_runner(world, project)
    owner.client.ok("POST", f"/projects/{project['id']}/pipeline", json={"ref": "main"})
    job = runner.take()
    answer = job.upload(REPORT, "sast", "raw")
    job.succeed()
    return answer.status_code, answer.json()


def test_the_closest_of_project_group_parent_group_and_instance_counts(world: World, owner: Person) -> None:
    top = world.group(owner)
    inner = world.group(owner, parent_id=top["id"])
    project = _project(world, owner, namespace_id=inner["id"])
    address = f"/projects/{project['id']}"
    assert _upload(world, owner, project)[0] == 201  # the instance allows 100 MB

    world.admin.ok("PUT", f"/groups/{top['id']}", json={"max_artifacts_size": 1})
    assert _upload(world, owner, project) == TOO_LARGE
    world.admin.ok("PUT", f"/groups/{inner['id']}", json={"max_artifacts_size": 2})
    assert _upload(world, owner, project)[0] == 201
    world.admin.ok("PUT", address, json={"max_artifacts_size": 1})
    assert _upload(world, owner, project) == TOO_LARGE
    world.admin.ok("PUT", address, json={"max_artifacts_size": None})
    world.admin.ok("PUT", f"/groups/{inner['id']}", json={"max_artifacts_size": None})
    assert _upload(world, owner, project) == TOO_LARGE
    world.admin.ok("PUT", f"/groups/{top['id']}", json={"max_artifacts_size": None})
    assert _upload(world, owner, project)[0] == 201


def test_a_project_may_have_more_than_the_instance(world: World, owner: Person) -> None:
    project = _project(world, owner)
    world.admin.ok("PUT", "/application/settings", json={"max_artifacts_size": 1})
    try:
        assert _upload(world, owner, project) == TOO_LARGE
        world.admin.ok("PUT", f"/projects/{project['id']}", json={"max_artifacts_size": 2})
        assert _upload(world, owner, project)[0] == 201
    finally:
        world.admin.ok("PUT", "/application/settings", json={"max_artifacts_size": 100})


def test_everybody_sees_the_limit_of_a_project_and_administrators_set_it(world: World, owner: Person) -> None:
    project = world.project(owner, visibility="public")
    address = f"/projects/{project['id']}"
    assert project["max_artifacts_size"] is None

    assert owner.client.ok("PUT", address, json={"max_artifacts_size": 5})["max_artifacts_size"] is None
    assert owner.client.ok("PUT", address, json={"max_artifacts_size": -5})["max_artifacts_size"] is None
    assert world.admin.ok("PUT", address, json={"max_artifacts_size": 5})["max_artifacts_size"] == 5
    assert world.user().client.ok("GET", address)["max_artifacts_size"] == 5
    assert owner.client.ok("PUT", address, json={"description": "kept"})["max_artifacts_size"] == 5
    created = world.admin.ok("POST", "/projects", json={"name": world.name("limited"), "max_artifacts_size": 7})
    assert created["max_artifacts_size"] == 7


@pytest.mark.parametrize("kind", ["projects", "groups"])
def test_bad_limits_are_refused(world: World, owner: Person, kind: str) -> None:
    item = world.project(owner) if kind == "projects" else world.group(owner)
    address = f"/{kind}/{item['id']}"

    for value, problem in ((0, "greater than 0"), (-1, "greater than 0"), (2**31, "less than 2147483648")):
        refused = world.admin.put(address, json={"max_artifacts_size": value})
        text = {"message": {"max_artifacts_size": [f"must be {problem}"]}}
        assert (refused.status_code, refused.json()) == (400, text)
    refused = world.admin.put(address, json={"max_artifacts_size": "many"})
    assert (refused.status_code, refused.json()) == (400, {"error": "max_artifacts_size is invalid"})
