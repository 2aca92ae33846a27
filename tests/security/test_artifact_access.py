"""Artifacts that a job keeps for developers, maintainers or nobody: no credential gets them through any door."""

import gzip
from typing import Any

import pytest

from tests.support.runner import WireJob, project_runner, zipped
from tests.support.world import Person, World

SECRET = "the signing key"
JUNIT = f'<testsuite><testcase name="t"><failure>{SECRET}</failure></testcase></testsuite>'
RESTRICTED = ["access: developer", "access: maintainer", "access: none", "public: false"]


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


def make(world: World, owner: Person, config: str, **more: Any) -> dict[str, Any]:
    created = world.project(owner, initialize_with_readme=True, shared_runners_enabled=False, **more)
    world.commit(created, "main", {".gitlab-ci.yml": config}, message="CI [skip ci]", user_id=owner.id)
    return created


def start(person: Person, project: dict[str, Any]) -> dict[str, Any]:
    created: dict[str, Any] = person.client.ok("POST", f"/projects/{project['id']}/pipeline", json={"ref": "main"})
    return created


def keeper(world: World, owner: Person, access: str, **more: Any) -> tuple[dict[str, Any], WireJob]:
    """A public project whose successful job has restricted artifacts."""
    config = f"make: {{script: [x], artifacts: {{paths: [key.txt], {access}, reports: {{junit: j.xml}}}}}}"
    project = make(world, owner, config, visibility="public", **more)
    start(owner, project)
    job = project_runner(world, project).take()
    assert job.upload(zipped({"key.txt": SECRET})).status_code == 201
    report = job.upload(gzip.compress(JUNIT.encode()), kind="junit", form="gzip", name="junit.xml.gz")
    assert report.status_code == 201
    job.succeed()
    world.run_jobs()
    return project, job


def token_of(world: World, person: Person, config: str = "use: {script: [x]}") -> dict[str, str]:
    """The token of a job that runs in a project of this person."""
    project = make(world, person, config)
    start(person, project)
    return project_runner(world, project).take().headers


def admit(world: World, project: dict[str, Any], caller: dict[str, Any]) -> None:
    """Put the caller's project on the list of this one."""
    body = {"target_project_id": caller["id"]}
    world.admin.ok("POST", f"/projects/{project['id']}/job_token_scope/allowlist", json=body)


def doors(project: dict[str, Any], job: WireJob) -> list[str]:
    base = f"/projects/{project['id']}/jobs"
    return [
        f"/jobs/{job.id}/artifacts",
        f"/jobs/{job.id}/artifacts?direct_download=true",
        f"{base}/{job.id}/artifacts",
        f"{base}/{job.id}/artifacts/key.txt",
        f"{base}/{job.id}/artifacts/tree",
        f"{base}/artifacts/main/download?job=make",
        f"{base}/artifacts/main/download?job=make&search_recent_successful_pipelines=true",
        f"{base}/artifacts/main/raw/key.txt?job=make",
        f"{base}/artifacts/refs/heads/main/raw/key.txt?job=make",
    ]


def reports(project: dict[str, Any], job: WireJob) -> list[str]:
    pipeline = job.response["job_info"]["pipeline_id"]
    base = f"/projects/{project['id']}/pipelines/{pipeline}"
    return [f"{base}/test_report", f"{base}/test_report_summary"]


@pytest.mark.parametrize("access", RESTRICTED)
def test_tokens_of_strangers_jobs_and_strangers_themselves_are_refused(
    world: World, owner: Person, access: str
) -> None:
    project, job = keeper(world, owner, access)
    stranger, guest, reporter = world.user(), world.user(), world.user()
    world.member(project, guest, "guest")
    world.member(project, reporter, "reporter")

    for person in (stranger, guest, reporter):
        sent = token_of(world, person)
        for door in doors(project, job):
            assert world.anonymous.request("GET", door, headers=sent).status_code in (403, 404), door
            assert world.anonymous.request("HEAD", door, headers=sent).status_code in (403, 404), door
            # A personal token is no credential of the runner protocol, and no way past the setting elsewhere.
            assert person.client.request("GET", door).status_code in (401, 403, 404), door
            assert world.anonymous.request("GET", door).status_code in (401, 403, 404), door
        for report in reports(project, job):
            for client in (person.client, world.anonymous):
                assert client.ok("GET", report)["test_suites"] == [], report


def test_rightful_people_and_their_jobs_download(world: World, owner: Person) -> None:
    for access, role in (("access: developer", "developer"), ("access: maintainer", "maintainer")):
        project, job = keeper(world, owner, access)
        member = world.user()
        world.member(project, member, role)
        caller = make(world, member, "use: {script: [x]}")
        admit(world, project, caller)
        start(member, caller)
        sent = project_runner(world, caller).take().headers

        for door in doors(project, job)[:-1]:
            assert world.anonymous.request("GET", door, headers=sent).status_code == 200, door
            if not door.startswith("/jobs"):
                assert member.client.request("GET", door).status_code == 200, door
        for report in reports(project, job):
            assert len(member.client.ok("GET", report)["test_suites"]) == 1


def test_nobody_downloads_what_is_for_nobody(world: World, owner: Person) -> None:
    project, job = keeper(world, owner, "access: none")
    start(owner, project)
    sent = project_runner(world, project).take().headers

    for door in doors(project, job):
        assert world.anonymous.request("GET", door, headers=sent).status_code in (403, 404), door
        assert owner.client.request("GET", door).status_code in (401, 403, 404), door
        assert world.admin.request("GET", door).status_code in (401, 403, 404), door


def test_restricted_artifacts_of_an_open_project_ask_for_the_list(world: World, owner: Person) -> None:
    project, job = keeper(world, owner, "access: developer")
    developer = world.user()
    world.member(project, developer, "developer")
    caller = make(world, developer, "use: {script: [x]}")
    start(developer, caller)
    sent = project_runner(world, caller).take().headers
    place = f"/projects/{project['id']}/jobs/{job.id}/artifacts"

    for door in (f"/jobs/{job.id}/artifacts", place):
        assert world.anonymous.get(door, headers=sent).status_code == 403, door
    admit(world, project, caller)
    for door in (f"/jobs/{job.id}/artifacts", place):
        assert world.anonymous.get(door, headers=sent).status_code == 200, door


def test_a_developers_branch_does_not_reach_what_maintainers_keep(world: World, owner: Person) -> None:
    project, job = keeper(world, owner, "access: maintainer")
    developer = world.user()
    world.member(project, developer, "developer")
    path = project["path_with_namespace"]
    thief = f"steal: {{script: [x], needs: [{{project: {path}, ref: main, job: make}}]}}\nplain: {{script: [x]}}"
    world.commit(project, "topic", {".gitlab-ci.yml": thief}, user_id=developer.id)
    world.run_jobs()
    runner = project_runner(world, project)
    taken = [answer for answer in (runner.ask() for _ in range(3)) if answer.status_code == 201]
    pipeline = developer.client.ok("GET", f"/projects/{project['id']}/pipelines?ref=topic")[0]["id"]
    jobs = {
        one["name"]: one for one in developer.client.get(f"/projects/{project['id']}/pipelines/{pipeline}/jobs").json()
    }

    assert [answer.json()["job_info"]["name"] for answer in taken] == ["plain"]
    assert jobs["steal"]["failure_reason"] == "missing_dependency_failure"
    sent = {"JOB-TOKEN": taken[0].json()["token"]}
    for door in doors(project, job):
        assert world.anonymous.request("GET", door, headers=sent).status_code in (403, 404), door


@pytest.mark.parametrize("access", RESTRICTED)
def test_needs_of_another_project_get_only_what_the_jobs_user_may_download(
    world: World, owner: Person, access: str
) -> None:
    project, job = keeper(world, owner, access)
    reporter = world.user()
    world.member(project, reporter, "reporter")
    scope = f"/projects/{project['id']}/job_token_scope"
    assert owner.client.patch(scope, json={"enabled": False}).status_code == 204
    need = f"{{project: {project['path_with_namespace']}, ref: main, job: make}}"
    config = f"use: {{script: [x], needs: [{need}]}}"

    refused = make(world, reporter, config)
    start(reporter, refused)
    assert project_runner(world, refused).ask().status_code == 204
    failed = reporter.client.get(f"/projects/{refused['id']}/jobs").json()[0]
    assert failed["failure_reason"] == "missing_dependency_failure"

    if access == "access: none":
        return
    allowed = make(world, owner, config)
    start(owner, allowed)
    used = project_runner(world, allowed).take()
    assert [one["id"] for one in used.response["dependencies"]] == [job.id]
    assert used.client.get(f"/jobs/{job.id}/artifacts", headers=used.headers).status_code == 200


@pytest.mark.parametrize("access", RESTRICTED)
def test_jobs_of_one_pipeline_and_its_children_hand_their_archives_on(world: World, owner: Person, access: str) -> None:
    config = f"""
stages: [one, two]
make: {{stage: one, script: [x], artifacts: {{paths: [x], {access}}}}}
use: {{stage: two, script: [x]}}
child: {{stage: two, variables: {{PARENT: $CI_PIPELINE_ID}}, trigger: {{include: child.yml}}}}
"""
    project = make(world, owner, config)
    child = "below: {script: [x], needs: [{pipeline: $PARENT, job: make}]}"
    world.commit(project, "main", {"child.yml": child}, message="Child [skip ci]", user_id=owner.id)
    developer = world.user()
    world.member(project, developer, "maintainer")
    start(developer, project)
    runner = project_runner(world, project)
    created = runner.take()
    assert created.upload(zipped({"x": "x"})).status_code == 201
    created.succeed()
    world.run_jobs()

    dependents = {job.name: job for job in (runner.take(), runner.take())}

    assert set(dependents) == {"use", "below"}
    for job in dependents.values():
        assert [one["id"] for one in job.response["dependencies"]] == [created.id]
        assert job.client.get(f"/jobs/{created.id}/artifacts", headers=job.headers).status_code == 200
