"""Whose archives a job receives: earlier stages, needs, dependencies, parents, other projects."""

from typing import Any

import pytest

from tests.support.runner import WireJob, project_runner, zipped
from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


def make(world: World, owner: Person, files: dict[str, str], **more: Any) -> dict[str, Any]:
    created = world.project(owner, initialize_with_readme=True, shared_runners_enabled=False, **more)
    world.commit(created, "main", files, message="CI [skip ci]", user_id=owner.id)
    return created


def start(owner: Person, project: dict[str, Any]) -> dict[str, Any]:
    created: dict[str, Any] = owner.client.ok("POST", f"/projects/{project['id']}/pipeline", json={"ref": "main"})
    return created


def sources(job: WireJob) -> list[str]:
    return [one["name"] for one in job.response["dependencies"] if "artifacts_file" in one]


def finish(job: WireJob) -> WireJob:
    job.upload(zipped({job.name: job.name}))
    job.succeed()
    return job


def test_stages_needs_and_dependencies_choose_the_archives(world: World, owner: Person) -> None:
    config = """
stages: [one, two]
a: {stage: one, script: [x], artifacts: {paths: [a]}}
b: {stage: one, script: [x], artifacts: {paths: [b]}}
all: {stage: two, script: [x]}
some: {stage: two, script: [x], dependencies: [b]}
none: {stage: two, script: [x], dependencies: []}
needing: {stage: two, script: [x], needs: [a]}
bare: {stage: two, script: [x], needs: [{job: a, artifacts: false}]}
"""
    project = make(world, owner, {".gitlab-ci.yml": config})
    start(owner, project)
    runner = project_runner(world, project)
    for _ in range(2):
        finish(runner.take())
    taken = {job.name: sources(job) for job in (runner.take() for _ in range(5))}

    assert taken == {"all": ["a", "b"], "some": ["b"], "none": [], "needing": ["a"], "bare": []}


def test_a_child_fetches_from_its_parent(world: World, owner: Person) -> None:
    config = """
stages: [build, below]
make: {stage: build, script: [x], artifacts: {paths: [x]}}
child:
  stage: below
  variables: {PARENT: $CI_PIPELINE_ID}
  trigger: {include: child.yml}
"""
    child = "use: {script: [x], needs: [{pipeline: $PARENT, job: make}]}"
    project = make(world, owner, {".gitlab-ci.yml": config, "child.yml": child})
    start(owner, project)
    runner = project_runner(world, project)
    created = finish(runner.take())
    world.run_jobs()
    used = runner.take()

    assert used.name == "use"
    assert [one["id"] for one in used.response["dependencies"]] == [created.id]
    got = used.client.get(f"/jobs/{created.id}/artifacts", headers=used.headers)
    assert got.status_code == 200


def test_another_project_gives_its_archive_only_to_listed_jobs(world: World, owner: Person) -> None:
    there = make(world, owner, {".gitlab-ci.yml": "make: {script: [x], artifacts: {paths: [x]}}"})
    start(owner, there)
    created = finish(project_runner(world, there).take())
    config = f"use: {{script: [x], needs: [{{project: {there['path_with_namespace']}, ref: main, job: make}}]}}"
    here = make(world, owner, {".gitlab-ci.yml": config})
    runner = project_runner(world, here)

    pipeline = start(owner, here)
    assert runner.ask().status_code == 204
    jobs = owner.client.ok("GET", f"/projects/{here['id']}/pipelines/{pipeline['id']}/jobs")
    assert jobs[0]["failure_reason"] == "missing_dependency_failure"
    owner.client.ok(
        "POST", f"/projects/{there['id']}/job_token_scope/allowlist", json={"target_project_id": here["id"]}
    )
    start(owner, here)
    used = runner.take()
    assert [one["id"] for one in used.response["dependencies"]] == [created.id]
    assert used.client.get(f"/jobs/{created.id}/artifacts", headers=used.headers).status_code == 200
    secret = world.user()
    hidden = make(world, secret, {".gitlab-ci.yml": "make: {script: [x], artifacts: {paths: [x]}}"})
    start(secret, hidden)
    unseen = finish(project_runner(world, hidden).take())
    assert used.client.get(f"/jobs/{unseen.id}/artifacts", headers=used.headers).status_code == 404
    assert used.client.get(f"/jobs/{created.id}/artifacts").status_code == 401
    assert owner.client.get(f"/jobs/{created.id}/artifacts").status_code == 401
