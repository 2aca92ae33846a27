"""Pipelines of merge requests: started by changes, shown as head pipeline, required before a merge."""

from typing import Any

import pytest

from tests.support import ci
from tests.support.runner import project_runner
from tests.support.world import Person, World

CONFIG = """
workflow:
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
check: {script: x}
"""


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture
def project(world: World, owner: Person) -> dict[str, Any]:
    created = world.project(owner, initialize_with_readme=True)
    world.commit(created, "main", {".gitlab-ci.yml": CONFIG}, message="CI [skip ci]", user_id=owner.id)
    return created


@pytest.fixture
def request_url(world: World, owner: Person, project: dict[str, Any]) -> str:
    world.commit(project, "topic", {"a.txt": "a"}, user_id=owner.id)
    body = {"source_branch": "topic", "target_branch": "main", "title": "Topic"}
    created = owner.client.ok("POST", f"/projects/{project['id']}/merge_requests", json=body)
    world.run_jobs()
    return f"/projects/{project['id']}/merge_requests/{created['iid']}"


def finish(world: World, owner: Person, project: dict[str, Any], pipeline_id: int, status: str) -> None:
    jobs = owner.client.get(f"/projects/{project['id']}/pipelines/{pipeline_id}/jobs").json()
    for job in jobs:
        ci.run(world, job["id"], status)


def test_opening_and_pushing_start_pipelines(
    world: World, owner: Person, project: dict[str, Any], request_url: str
) -> None:
    first = owner.client.get(f"{request_url}/pipelines").json()
    assert [one["source"] for one in first] == ["merge_request_event"]
    assert first[0]["ref"].endswith("/head")
    head = world.commit(project, "topic", {"a.txt": "b"}, user_id=owner.id)
    world.run_jobs()

    both = owner.client.get(f"{request_url}/pipelines").json()
    shown = owner.client.get(request_url).json()

    assert len(both) == 2
    assert both[0]["sha"] == head
    assert shown["head_pipeline"]["id"] == shown["pipeline"]["id"] == both[0]["id"]
    assert shown["head_pipeline"]["detailed_status"]["text"] == "Pending"
    assert "detailed_status" not in shown["pipeline"]


def test_a_required_pipeline_holds_the_merge_back(
    world: World, owner: Person, project: dict[str, Any], request_url: str
) -> None:
    owner.client.ok("PUT", f"/projects/{project['id']}", json={"only_allow_merge_if_pipeline_succeeds": True})
    pipeline = owner.client.get(f"{request_url}/pipelines").json()[0]
    assert owner.client.get(request_url).json()["detailed_merge_status"] == "ci_still_running"
    assert owner.client.put(f"{request_url}/merge").status_code == 405
    finish(world, owner, project, pipeline["id"], "failed")
    assert owner.client.get(request_url).json()["detailed_merge_status"] == "ci_must_pass"
    owner.client.ok("POST", f"/projects/{project['id']}/pipelines/{pipeline['id']}/retry")
    waiting = owner.client.put(f"{request_url}/merge", json={"auto_merge": True})
    assert (waiting.status_code, waiting.json()["merge_when_pipeline_succeeds"]) == (200, True)

    finish(world, owner, project, pipeline["id"], "success")
    world.run_jobs()

    assert owner.client.get(request_url).json()["state"] == "merged"


def test_a_pipeline_is_run_by_hand(world: World, owner: Person, project: dict[str, Any], request_url: str) -> None:
    created = owner.client.post(f"{request_url}/pipelines")
    assert (created.status_code, created.json()["source"]) == (200, "merge_request_event")
    later = owner.client.post(f"{request_url}/pipelines", json={"async": True})
    assert (later.status_code, later.content) == (202, b"")
    world.run_jobs()
    assert len(owner.client.get(f"{request_url}/pipelines").json()) == 3
    reporter = world.user()
    world.member(project, reporter, "reporter")
    assert reporter.client.post(f"{request_url}/pipelines").status_code == 403
    assert reporter.client.get(f"{request_url}/pipelines").status_code == 200


def test_without_jobs_for_merge_requests_there_is_no_pipeline(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    world.commit(project, "topic", {".gitlab-ci.yml": "j: {script: x}"}, user_id=owner.id)
    body = {"source_branch": "topic", "target_branch": "main", "title": "Topic"}
    created = owner.client.ok("POST", f"/projects/{project['id']}/merge_requests", json=body)
    url = f"/projects/{project['id']}/merge_requests/{created['iid']}"

    assert owner.client.post(f"{url}/pipelines").status_code == 405
    (branch,) = owner.client.get(f"{url}/pipelines").json()
    assert (branch["source"], branch["ref"]) == ("push", "topic")
    assert owner.client.get(url).json()["head_pipeline"]["id"] == branch["id"]


def test_merge_requests_are_linked_to_deployments(
    world: World, owner: Person, project: dict[str, Any], request_url: str
) -> None:
    merged = owner.client.ok("PUT", f"{request_url}/merge")
    base = f"/projects/{project['id']}"
    body = {"environment": "production", "sha": merged["merge_commit_sha"], "ref": "main", "tag": False}
    deployment = owner.client.ok("POST", f"{base}/deployments", json={**body, "status": "success"})
    world.run_jobs()

    linked = owner.client.get(f"{base}/deployments/{deployment['id']}/merge_requests").json()

    assert [one["iid"] for one in linked] == [merged["iid"]]
    result = owner.client.get(f"{base}/merge_requests", environment="production").json()
    assert [one["iid"] for one in result] == [merged["iid"]]
    assert owner.client.get(f"{base}/merge_requests", deployed_before="2001-01-01T00:00:00Z").json() == []
    assert owner.client.get(request_url).json()["first_deployed_to_production_at"] is not None


def test_a_branch_with_an_open_request_can_leave_the_work_to_it(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    config = """
workflow:
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_COMMIT_BRANCH && $CI_OPEN_MERGE_REQUESTS
      when: never
    - if: $CI_COMMIT_BRANCH
check: {script: x}
"""
    world.commit(project, "topic", {".gitlab-ci.yml": config}, user_id=owner.id)
    base = f"/projects/{project['id']}"
    assert [one["source"] for one in owner.client.get(f"{base}/pipelines").json()] == ["push"]
    body = {"source_branch": "topic", "target_branch": "main", "title": "Topic"}
    owner.client.ok("POST", f"{base}/merge_requests", json=body)
    world.commit(project, "topic", {"b.txt": "b"}, user_id=owner.id)

    sources = [one["source"] for one in owner.client.get(f"{base}/pipelines").json()]

    assert sources == ["merge_request_event", "merge_request_event", "push"]


def test_a_request_from_a_fork_runs_where_its_author_may(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True, visibility="public")
    world.commit(project, "main", {".gitlab-ci.yml": CONFIG}, message="CI [skip ci]", user_id=owner.id)
    guest = world.user()
    fork = guest.client.ok("POST", f"/projects/{project['id']}/fork", json={})
    world.run_jobs()
    world.commit(fork, "topic", {"a.txt": "a"}, user_id=guest.id)
    body = {
        "source_branch": "topic",
        "target_branch": "main",
        "title": "From outside",
        "target_project_id": project["id"],
    }
    created = guest.client.ok("POST", f"/projects/{fork['id']}/merge_requests", json=body)
    url = f"/projects/{project['id']}/merge_requests/{created['iid']}"

    (at_home,) = owner.client.get(f"{url}/pipelines").json()
    assert (at_home["project_id"], at_home["ref"], at_home["source"]) == (fork["id"], "topic", "merge_request_event")
    assert guest.client.post(f"{url}/pipelines").status_code == 403
    owner.client.ok(
        "PUT", f"/projects/{project['id']}", json={"ci_allow_fork_pipelines_to_run_in_parent_project": False}
    )
    assert owner.client.post(f"{url}/pipelines").status_code == 405


def test_jobs_learn_whether_the_request_is_approved(
    world: World, owner: Person, project: dict[str, Any], request_url: str
) -> None:
    base = f"/projects/{project['id']}"
    approver = world.user()
    world.member(project, approver, "developer")
    owner.client.ok(
        "POST", f"{base}/approval_rules", json={"name": "all", "approvals_required": 1, "user_ids": [approver.id]}
    )
    owner.client.ok("PUT", base, json={"squash_option": "always"})
    runner = project_runner(world, project)

    before = runner.take()
    approver.client.ok("POST", f"{request_url}/approve")
    owner.client.ok("POST", f"{request_url}/pipelines")
    after = runner.take()

    assert before.variable("CI_MERGE_REQUEST_APPROVED") is None
    assert after.variable("CI_MERGE_REQUEST_APPROVED") == "true"
    assert after.variable("CI_MERGE_REQUEST_SQUASH_ON_MERGE") == "true"


@pytest.mark.parametrize("later", [False, True])
def test_a_faulty_file_makes_a_failed_pipeline_that_says_why(
    world: World, owner: Person, project: dict[str, Any], request_url: str, later: bool
) -> None:
    world.commit(project, "topic", {".gitlab-ci.yml": "check: {script: [}"}, message="x [skip ci]", user_id=owner.id)
    world.run_jobs()
    known = owner.client.ok("GET", f"{request_url}/pipelines")

    reply = owner.client.post(f"{request_url}/pipelines", json={"async": later})

    assert reply.status_code == (202 if later else 200)
    world.run_jobs()
    newest = owner.client.ok("GET", f"{request_url}/pipelines")[0]
    assert newest["id"] not in [one["id"] for one in known]
    pipeline = owner.client.ok("GET", f"/projects/{project['id']}/pipelines/{newest['id']}")
    assert (pipeline["status"], pipeline["source"]) == ("failed", "merge_request_event")
    assert pipeline["yaml_errors"]
    if not later:
        assert reply.json()["yaml_errors"] == pipeline["yaml_errors"]


def test_a_file_without_jobs_for_requests_makes_no_pipeline(
    world: World, owner: Person, project: dict[str, Any], request_url: str
) -> None:
    only_main = "check: {script: x, rules: [{if: $CI_COMMIT_BRANCH == 'main'}]}"
    world.commit(project, "topic", {".gitlab-ci.yml": only_main}, message="x [skip ci]", user_id=owner.id)

    assert owner.client.post(f"{request_url}/pipelines").status_code == 405
