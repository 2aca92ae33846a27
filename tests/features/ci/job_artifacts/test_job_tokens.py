"""Job tokens on downloads: how they are sent, how long they live, what they reach."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.databases import Databases
from tests.support.runner import WireJob, project_runner, zipped
from tests.support.server import RunningServer
from tests.support.world import Person, World

CONFIG = "build: {script: [make], artifacts: {paths: [out]}}"


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


def make(world: World, owner: Person, **more: Any) -> tuple[dict[str, Any], WireJob]:
    """A project with a finished archive."""
    project = world.project(owner, initialize_with_readme=True, **more)
    world.commit(project, "main", {".gitlab-ci.yml": CONFIG}, message="CI [skip ci]", user_id=owner.id)
    done = running(world, owner, project)
    done.upload(zipped({"a.txt": "a"}))
    done.succeed()
    return project, done


def running(world: World, owner: Person, project: dict[str, Any]) -> WireJob:
    owner.client.ok("POST", f"/projects/{project['id']}/pipeline", json={"ref": "main"})
    return project_runner(world, project).take()


def test_a_running_jobs_token_downloads_in_every_form(world: World, owner: Person) -> None:
    project, done = make(world, owner)
    job = running(world, owner, project)
    client = world.anonymous
    places = [
        f"/projects/{project['id']}/jobs/{done.id}/artifacts",
        f"/projects/{project['id']}/jobs/{done.id}/artifacts/a.txt",
        f"/projects/{project['id']}/jobs/artifacts/main/download?job=build",
        f"/projects/{project['id']}/jobs/artifacts/main/raw/a.txt?job=build",
        f"/projects/{project['id']}/jobs/{done.id}/artifacts/tree",
    ]
    for place in places:
        separator = "&" if "?" in place else "?"
        assert client.request("GET", place, headers={"JOB-TOKEN": job.token}).status_code == 200
        assert client.request("GET", f"{place}{separator}job_token={job.token}").status_code == 200
        assert client.request("GET", place, headers={"Authorization": f"Bearer {job.token}"}).status_code == 200
        assert client.request("GET", place, headers={"PRIVATE-TOKEN": job.token}).status_code == 401
    assert client.get("/job", headers={"JOB-TOKEN": job.token}).json()["id"] == job.id
    ignored = client.request("DELETE", places[0], headers={"JOB-TOKEN": job.token})
    assert ignored.status_code == 401


def test_a_token_dies_with_its_job(world: World, owner: Person) -> None:
    project, done = make(world, owner, visibility="public")
    job = running(world, owner, project)
    place = f"/projects/{project['id']}/jobs/{done.id}/artifacts"

    assert world.anonymous.get(place, headers={"JOB-TOKEN": job.token}).status_code == 200
    job.succeed()
    dead = world.anonymous.get(place, headers={"JOB-TOKEN": job.token})
    assert (dead.status_code, dead.json()) == (401, {"message": "401 Unauthorized"})
    assert world.anonymous.get(place, headers={"JOB-TOKEN": "glcbt-64_nonsense"}).status_code == 401
    assert world.anonymous.get(place).status_code == 200


def test_another_project_is_reached_only_when_it_lists_the_jobs_project(world: World, owner: Person) -> None:
    group = world.group(owner)
    source, _ = make(world, owner, namespace_id=group["id"])
    target, done = make(world, owner)
    job = running(world, owner, source)
    place = f"/projects/{target['id']}/jobs/{done.id}/artifacts"
    scope = f"/projects/{target['id']}/job_token_scope"

    def status() -> int:
        return world.anonymous.get(place, headers={"JOB-TOKEN": job.token}).status_code

    refused = world.anonymous.get(place, headers={"JOB-TOKEN": job.token})
    assert refused.status_code == 403
    assert refused.json() == {
        "message": "403 Forbidden - Authentication by CI/CD job token not allowed from"
        f" {source['path']} to {target['path']}."
    }
    created = owner.client.ok("POST", f"{scope}/allowlist", json={"target_project_id": source["id"]})
    assert created == {"source_project_id": target["id"], "target_project_id": source["id"]}
    assert status() == 200
    assert owner.client.post(f"{scope}/allowlist", json={"target_project_id": source["id"]}).status_code == 400
    assert [one["id"] for one in owner.client.get(f"{scope}/allowlist").json()] == [source["id"]]
    assert owner.client.delete(f"{scope}/allowlist/{source['id']}").status_code == 204
    assert owner.client.delete(f"{scope}/allowlist/{source['id']}").status_code == 404
    assert status() == 403
    owner.client.ok("POST", f"{scope}/groups_allowlist", json={"target_group_id": group["id"]})
    assert status() == 200
    assert [one["id"] for one in owner.client.get(f"{scope}/groups_allowlist").json()] == [group["id"]]
    assert owner.client.delete(f"{scope}/groups_allowlist/{group['id']}").status_code == 204
    assert status() == 403
    assert owner.client.ok("GET", scope) == {"inbound_enabled": True, "outbound_enabled": False}
    assert owner.client.patch(scope, json={"enabled": False}).status_code == 204
    assert status() == 200
    stranger = world.user()
    world.member(target, stranger, "developer")
    assert stranger.client.get(scope).status_code == 403


def test_open_projects_need_no_list_and_invisible_ones_stay_so(world: World, owner: Person) -> None:
    source, _ = make(world, owner)
    job = running(world, owner, source)
    opened, done = make(world, owner, visibility="public")
    other = world.user()
    hidden, secret = make(world, other)

    got = world.anonymous.get(f"/projects/{opened['id']}/jobs/{done.id}/artifacts", headers={"JOB-TOKEN": job.token})
    assert got.status_code == 200
    gone = world.anonymous.get(f"/projects/{hidden['id']}/jobs/{secret.id}/artifacts", headers={"JOB-TOKEN": job.token})
    assert (gone.status_code, gone.json()) == (404, {"message": "404 Project Not Found"})


@pytest.fixture(scope="module")
def free(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    data: Path = tmp_path_factory.mktemp("free")
    with RunningServer(databases.fresh(data), data, tier="free") as running_server:
        yield World(running_server)


def test_without_a_paid_tier_job_tokens_find_no_project(free: World) -> None:
    owner = free.user()
    project, done = make(free, owner)
    job = running(free, owner, project)

    refused = free.anonymous.get(
        f"/projects/{project['id']}/jobs/{done.id}/artifacts", headers={"JOB-TOKEN": job.token}
    )
    assert (refused.status_code, refused.json()) == (404, {"message": "404 Project Not Found"})
    # Runners fetch what a job depends on all the same.
    assert free.anonymous.get(f"/jobs/{done.id}/artifacts", headers={"JOB-TOKEN": job.token}).status_code == 200
    assert owner.client.get(f"/projects/{project['id']}/jobs/{done.id}/artifacts").status_code == 200


@pytest.mark.parametrize("visibility", ["private", "internal", "public"])
def test_whatever_a_token_asks_of_another_project_must_be_allowed_there(
    world: World, owner: Person, visibility: str
) -> None:
    mine, _ = make(world, owner)
    other, _ = make(world, owner, visibility=visibility)
    token = {"JOB-TOKEN": running(world, owner, mine).token}
    place = f"/projects/{other['id']}"
    pipeline = owner.client.ok("GET", f"{place}/pipelines")[0]["id"]
    reads = [
        f"{place}/pipelines", f"{place}/pipelines/latest", f"{place}/pipelines/{pipeline}",
        f"{place}/pipelines/{pipeline}/bridges", f"{place}/merge_requests",
    ]  # fmt: skip
    shown = [f"{place}/environments", f"{place}/deployments"]
    text = f"Authentication by CI/CD job token not allowed from {mine['path']} to {other['path']}."

    for read in reads:
        refused = world.anonymous.get(read, headers=token)
        assert (refused.status_code, refused.json()) == (403, {"message": f"403 Forbidden - {text}"}), read
    for read in shown:
        assert world.anonymous.get(read, headers=token).status_code == (403 if visibility == "private" else 200)
    named = world.anonymous.put(f"{place}/pipelines/{pipeline}/metadata", json={"name": "x"}, headers=token)
    assert named.status_code == 403
    body = {"name": "there"}
    assert world.anonymous.post(f"{place}/environments", json=body, headers=token).status_code == 403

    owner.client.ok("POST", f"{place}/job_token_scope/allowlist", json={"target_project_id": mine["id"]})

    for read in [*reads, *shown]:
        assert world.anonymous.get(read, headers=token).status_code == 200, read
    assert world.anonymous.post(f"{place}/environments", json=body, headers=token).status_code == 201


def test_a_token_learns_nothing_of_projects_its_user_cannot_see(world: World, owner: Person) -> None:
    mine, _ = make(world, owner)
    hidden = world.project(world.user(), visibility="private")

    answer = world.anonymous.get(
        f"/projects/{hidden['id']}/pipelines", headers={"JOB-TOKEN": running(world, owner, mine).token}
    )

    assert (answer.status_code, answer.json()) == (404, {"message": "404 Project Not Found"})
