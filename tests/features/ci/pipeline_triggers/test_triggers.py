"""Trigger tokens, and the pipelines they start."""

from typing import Any

import pytest

from tests.support import ci
from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture
def project(world: World, owner: Person) -> dict[str, Any]:
    created = world.project(owner, initialize_with_readme=True)
    world.commit(created, "main", {".gitlab-ci.yml": "job: {script: 'true'}"}, message="x [skip ci]", user_id=owner.id)
    return created


def test_a_token_is_made_shown_and_deleted(world: World, owner: Person, project: dict[str, Any]) -> None:
    url = f"/projects/{project['id']}/triggers"
    maintainer, developer = world.user(), world.user()
    world.member(project, maintainer, "maintainer")
    world.member(project, developer, "developer")

    created = owner.client.post(url, json={"description": "From elsewhere"})

    assert created.status_code == 201
    assert created.json()["token"].startswith("glptt-")
    one = f"{url}/{created.json()['id']}"
    assert maintainer.client.get(one).json()["token"] == created.json()["token"].removeprefix("glptt-")[:4]
    assert developer.client.get(url).status_code == 403
    assert owner.client.ok("PUT", one, json={"description": "New"})["description"] == "New"
    assert maintainer.client.put(one, json={"description": "X"}).status_code == 403
    assert [row["id"] for row in owner.client.get(url).json()] == [created.json()["id"]]
    assert owner.client.delete(one).status_code == 204
    assert owner.client.get(one).json() == {"message": "404 Trigger Not Found"}
    assert owner.client.post(url, json={}).json() == {"error": "description is missing"}


def test_a_token_starts_a_pipeline_for_its_owner(world: World, owner: Person, project: dict[str, Any]) -> None:
    trigger = owner.client.ok("POST", f"/projects/{project['id']}/triggers", json={"description": "x"})
    url = f"/projects/{project['id']}/trigger/pipeline"

    fired = world.anonymous.post(url, data={"token": trigger["token"], "ref": "main", "variables[WHO]": "me"})

    assert fired.status_code == 201, fired.text
    assert fired.json()["source"] == "trigger"
    assert fired.json()["user"]["username"] == owner.username
    given = owner.client.get(f"/projects/{project['id']}/pipelines/{fired.json()['id']}/variables").json()
    assert [(one["key"], one["variable_type"]) for one in given] == [("WHO", "env_var"), ("TRIGGER_PAYLOAD", "file")]
    assert trigger["token"] not in given[1]["value"]
    assert owner.client.get(f"/projects/{project['id']}/triggers/{trigger['id']}").json()["last_used"] is not None
    by_path = world.anonymous.post(
        f"/projects/{project['id']}/ref/main/trigger/pipeline", data={"token": trigger["token"]}
    )
    assert by_path.status_code == 201


def test_bad_triggers_are_refused(world: World, owner: Person, project: dict[str, Any]) -> None:
    token = owner.client.ok("POST", f"/projects/{project['id']}/triggers", json={"description": "x"})["token"]
    url = f"/projects/{project['id']}/trigger/pipeline"
    other = world.project(owner)

    unknown = world.anonymous.post(url, json={"token": "nope", "ref": "main"})
    assert (unknown.status_code, unknown.json()) == (404, {"message": "404 Not Found"})
    elsewhere = world.anonymous.post(f"/projects/{other['id']}/trigger/pipeline", json={"token": token, "ref": "main"})
    assert elsewhere.status_code == 404
    no_ref = world.anonymous.post(url, json={"token": token, "ref": "gone"})
    assert (no_ref.status_code, no_ref.json()) == (400, {"message": {"base": ["Reference not found"]}})
    odd = world.anonymous.post(url, json={"token": token, "ref": "main", "variables": {"A": {"b": "c"}}})
    assert odd.json() == {"message": "400 Bad request - variables needs to be a map of key-valued strings"}


def test_a_job_triggers_another_projects_pipeline(world: World, owner: Person, project: dict[str, Any]) -> None:
    pipeline = owner.client.ok("POST", f"/projects/{project['id']}/pipeline", json={"ref": "main"})
    job = owner.client.get(f"/projects/{project['id']}/pipelines/{pipeline['id']}/jobs").json()[0]
    token = ci.take(world, job["id"])
    target = world.project(owner, initialize_with_readme=True)
    world.commit(target, "main", {".gitlab-ci.yml": "job: {script: 'true'}"}, message="x [skip ci]", user_id=owner.id)

    url = f"/projects/{target['id']}/trigger/pipeline"
    unlisted = world.anonymous.post(url, data={"token": token, "ref": "main"})
    listing = f"/projects/{target['id']}/job_token_scope/allowlist"
    owner.client.ok("POST", listing, json={"target_project_id": project["id"]})
    fired = world.anonymous.post(url, data={"token": token, "ref": "main"})

    assert unlisted.status_code == 403
    assert (fired.status_code, fired.json()["source"]) == (201, "pipeline")
    ci.end(world, job["id"])
    again = world.anonymous.post(f"/projects/{target['id']}/trigger/pipeline", data={"token": token, "ref": "main"})
    assert again.status_code == 404
