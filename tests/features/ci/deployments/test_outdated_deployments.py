"""Deployments go forward: what is older than what an environment has does not run, but for a rollback."""

import uuid
from typing import Any

import pytest

from tests.support.runner import WireJob, WireRunner, project_runner
from tests.support.world import Person, World

CONFIG = """
auto: {stage: deploy, script: [a], environment: production}
byhand: {stage: deploy, script: [a], environment: production, when: manual}
"""


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture
def project(world: World, owner: Person) -> dict[str, Any]:
    created = world.project(owner, initialize_with_readme=True, auto_cancel_pending_pipelines="disabled")
    world.commit(created, "main", {".gitlab-ci.yml": CONFIG}, message="CI [skip ci]", user_id=owner.id)
    return created


@pytest.fixture
def runner(world: World, project: dict[str, Any]) -> WireRunner:
    return project_runner(world, project)


def push(world: World, owner: Person, project: dict[str, Any]) -> dict[str, int]:
    """A new commit and its pipeline; the ids of its jobs by name."""
    base = f"/projects/{project['id']}"
    world.commit(project, "main", {"n": uuid.uuid4().hex}, message="More [skip ci]", user_id=owner.id)
    created = owner.client.ok("POST", f"{base}/pipeline", json={"ref": "main"})
    return {one["name"]: one["id"] for one in owner.client.ok("GET", f"{base}/pipelines/{created['id']}/jobs")}


def take(runner: WireRunner, job_id: int) -> WireJob:
    taken = runner.take()
    assert taken.id == job_id
    return taken


def job(owner: Person, project: dict[str, Any], job_id: int) -> dict[str, Any]:
    result: dict[str, Any] = owner.client.ok("GET", f"/projects/{project['id']}/jobs/{job_id}")
    return result


def deploy_newer_first(
    world: World, owner: Person, project: dict[str, Any], runner: WireRunner
) -> tuple[dict[str, int], dict[str, int]]:
    """Two pipelines, of which the second deploys while the first one's jobs wait."""
    older = push(world, owner, project)
    first = take(runner, older["auto"])
    newer = push(world, owner, project)
    take(runner, newer["auto"]).succeed()
    first.fail()
    return older, newer


def test_outdated_jobs_are_refused_by_hand_and_fail_when_handed_out(
    world: World, owner: Person, project: dict[str, Any], runner: WireRunner
) -> None:
    base = f"/projects/{project['id']}/jobs"
    older = push(world, owner, project)
    push(world, owner, project)
    # The older job waits in the queue while another tool deploys the newer commit.
    body = {"environment": "production", "sha": sha(owner, project), "ref": "main", "tag": False, "status": "success"}
    owner.client.ok("POST", f"/projects/{project['id']}/deployments", json=body)

    assert runner.ask().status_code in (201, 409)
    shown = job(owner, project, older["auto"])
    assert (shown["status"], shown["failure_reason"]) == ("failed", "failed_outdated_deployment_job")
    refused = owner.client.post(f"{base}/{older['byhand']}/play")
    assert (refused.status_code, refused.json()) == (403, {"message": "403 Forbidden"})


def sha(owner: Person, project: dict[str, Any]) -> str:
    result = owner.client.ok("GET", f"/projects/{project['id']}/repository/branches/main")
    return str(result["commit"]["id"])


def test_a_finished_job_may_be_retried_to_roll_back(
    world: World, owner: Person, project: dict[str, Any], runner: WireRunner
) -> None:
    older, newer = deploy_newer_first(world, owner, project, runner)
    base = f"/projects/{project['id']}/jobs"

    again = owner.client.ok("POST", f"{base}/{older['auto']}/retry")
    take(runner, again["id"]).succeed()

    assert job(owner, project, again["id"])["status"] == "success"
    # What was made before the rollback is now the older one.
    assert owner.client.post(f"{base}/{newer['byhand']}/play").status_code == 403


def test_a_project_may_forbid_rollbacks_or_allow_everything(
    world: World, owner: Person, project: dict[str, Any], runner: WireRunner
) -> None:
    older, _ = deploy_newer_first(world, owner, project, runner)
    base = f"/projects/{project['id']}"
    pipeline = job(owner, project, older["auto"])["pipeline"]["id"]

    owner.client.ok("PUT", base, json={"ci_forward_deployment_rollback_allowed": False})
    assert owner.client.post(f"{base}/jobs/{older['auto']}/retry").status_code == 403
    owner.client.ok("POST", f"{base}/pipelines/{pipeline}/retry")
    assert job(owner, project, older["auto"])["status"] == "failed"
    assert len(owner.client.ok("GET", f"{base}/pipelines/{pipeline}/jobs?include_retried=true")) == 2

    owner.client.ok("PUT", base, json={"ci_forward_deployment_enabled": False})
    assert owner.client.post(f"{base}/jobs/{older['byhand']}/play").status_code == 200
    assert owner.client.post(f"{base}/jobs/{older['auto']}/retry").status_code == 201


def test_outdated_jobs_are_not_retried_by_themselves(
    world: World, owner: Person, project: dict[str, Any], runner: WireRunner
) -> None:
    config = "auto: {stage: deploy, script: [a], environment: production, retry: 2}"
    world.commit(project, "main", {".gitlab-ci.yml": config}, message="CI [skip ci]", user_id=owner.id)
    oldest, older = push(world, owner, project), push(world, owner, project)
    running = take(runner, oldest["auto"])
    newest = push(world, owner, project)
    body = {"environment": "production", "sha": sha(owner, project), "ref": "main", "tag": False, "status": "success"}
    owner.client.ok("POST", f"/projects/{project['id']}/deployments", json=body)

    running.fail()
    take(runner, newest["auto"])

    base = f"/projects/{project['id']}/jobs"
    listed = owner.client.ok("GET", base)
    assert {one["id"]: one["failure_reason"] for one in listed if one["id"] in (oldest["auto"], older["auto"])} == {
        oldest["auto"]: "script_failure",
        older["auto"]: "failed_outdated_deployment_job",
    }
    assert len(listed) == 3


def test_the_same_commit_is_never_outdated(
    world: World, owner: Person, project: dict[str, Any], runner: WireRunner
) -> None:
    base = f"/projects/{project['id']}"
    older = push(world, owner, project)
    first = take(runner, older["auto"])
    again = owner.client.ok("POST", f"{base}/pipeline", json={"ref": "main"})
    newer = {one["name"]: one["id"] for one in owner.client.ok("GET", f"{base}/pipelines/{again['id']}/jobs")}
    take(runner, newer["auto"]).succeed()
    first.succeed()

    assert owner.client.post(f"{base}/jobs/{older['byhand']}/play").status_code == 200
