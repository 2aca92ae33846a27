"""Which runner gets which job: tags, protection, places, pauses, fairness; each job once; none left for ever."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest

from ingot.kit.clock import now
from ingot.kit.jobs import enqueue
from tests.support import ci
from tests.support.runner import WireRunner, project_runner, zipped
from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


def make(world: World, owner: Person, config: str, **more: Any) -> dict[str, Any]:
    # Instance runners of other tests must not find these jobs.
    created = world.project(owner, initialize_with_readme=True, **{"shared_runners_enabled": False, **more})
    world.commit(created, "main", {".gitlab-ci.yml": config}, message="CI [skip ci]", user_id=owner.id)
    return created


def start(owner: Person, project: dict[str, Any], ref: str = "main") -> dict[str, Any]:
    created: dict[str, Any] = owner.client.ok("POST", f"/projects/{project['id']}/pipeline", json={"ref": ref})
    return created


def names(runner: WireRunner) -> list[str]:
    """All jobs that the runner gets now."""
    result = []
    while (answer := runner.ask()).status_code == 201:
        result.append(answer.json()["job_info"]["name"])
    return result


def runner_of(world: World, **fields: Any) -> WireRunner:
    return WireRunner(world, world.admin.ok("POST", "/user/runners", json=fields)["token"])


def test_tags_of_job_and_runner_must_fit(world: World, owner: Person) -> None:
    config = """
plain: {script: [a]}
one: {script: [a], tags: [linux]}
two: {script: [a], tags: [linux, big]}
"""
    project = make(world, owner, config)
    start(owner, project)

    assert names(project_runner(world, project, run_untagged=False, tag_list="mac")) == []
    assert names(project_runner(world, project, run_untagged=False, tag_list="linux")) == ["one"]
    assert names(project_runner(world, project, paused=True)) == []
    assert names(project_runner(world, project)) == ["plain"]
    assert names(project_runner(world, project, run_untagged=False, tag_list="linux,big,mac")) == ["two"]


def test_protected_runners_serve_protected_refs_only(world: World, owner: Person) -> None:
    project = make(world, owner, "job: {script: [a]}")
    world.commit(project, "side", {"x": "y"}, message="Side [skip ci]", user_id=owner.id)
    careful = project_runner(world, project, access_level="ref_protected")
    start(owner, project, "side")
    assert names(careful) == []
    start(owner, project, "main")
    assert names(careful) == ["job"]


def test_runners_serve_their_place(world: World, owner: Person) -> None:
    above = world.group(owner)
    below = world.group(owner, parent_id=above["id"])
    inside = make(world, owner, "inside: {script: [a]}", namespace_id=below["id"], shared_runners_enabled=True)
    outside = make(world, owner, "outside: {script: [a]}", shared_runners_enabled=True)
    closed = make(world, owner, "closed: {script: [a]}")
    of_group = runner_of(world, runner_type="group_type", group_id=above["id"])
    of_instance = runner_of(world, runner_type="instance_type")
    for project in (inside, outside, closed):
        start(owner, project)

    assert names(of_group) == ["inside"]
    assert names(of_instance) == ["outside"]
    assert names(project_runner(world, closed)) == ["closed"]
    owner.client.ok("PUT", f"/projects/{inside['id']}", json={"group_runners_enabled": False})
    start(owner, inside)
    assert names(of_group) == []
    assert names(of_instance) == ["inside"]


def test_instance_runners_are_fair_between_projects(world: World, owner: Person) -> None:
    many = make(
        world, owner, "".join(f"many{number}: {{script: [a]}}\n" for number in range(3)), shared_runners_enabled=True
    )
    few = make(world, owner, "few: {script: [a]}", shared_runners_enabled=True)
    start(owner, many)
    start(owner, few)

    result = names(runner_of(world, runner_type="instance_type"))
    assert result[0].startswith("many")
    assert result[1] == "few"


def test_two_hundred_jobs_go_to_eight_runners_each_exactly_once(world: World, owner: Person) -> None:
    config = "job:\n  script: [a]\n  parallel: 100\n"
    project = make(world, owner, config)
    start(owner, project)
    start(owner, project)
    token = world.admin.ok("POST", "/user/runners", json={"runner_type": "project_type", "project_id": project["id"]})[
        "token"
    ]
    crowd = [WireRunner(world, token) for _ in range(8)]

    def work(runner: WireRunner) -> list[int]:
        result, empty = [], 0
        while empty < 3:
            answer = runner.ask()
            assert answer.status_code in (201, 204, 409), answer.text
            if answer.status_code == 201:
                result.append(answer.json()["id"])
                empty = 0
            elif answer.status_code == 204:
                empty += 1
        return result

    with ThreadPoolExecutor(8) as pool:
        shares = list(pool.map(work, crowd))
    given = [job for share in shares for job in share]
    assert len(given) == 200
    assert len(set(given)) == 200


def sweep(world: World) -> None:
    with world.server.services.db.write() as tx:
        enqueue(tx, "pipelines.sweep")
    world.run_jobs()


def test_a_runner_that_dies_leaves_no_job_running_and_no_half_artifact(world: World, owner: Person) -> None:
    project = make(world, owner, "silent: {script: [a]}\nlong: {script: [a], timeout: 10m}\nlost: {script: [a]}")
    pipeline = start(owner, project)
    runner = project_runner(world, project)
    taken = {job.name: job for job in (runner.take(), runner.take())}
    taken["silent"].upload(zipped({"a": "a"}))
    ci.set_columns(world, taken["silent"].id, contacted_at=now() - timedelta(hours=2))
    ci.set_columns(world, taken["long"].id, started_at=now() - timedelta(minutes=20))
    jobs = {
        one["name"]: one for one in owner.client.ok("GET", f"/projects/{project['id']}/pipelines/{pipeline['id']}/jobs")
    }
    ci.set_columns(world, jobs["lost"]["id"], queued_at=now() - timedelta(days=2))

    sweep(world)
    jobs = {
        one["name"]: (one["status"], one["failure_reason"])
        for one in owner.client.ok("GET", f"/projects/{project['id']}/pipelines/{pipeline['id']}/jobs")
    }
    assert jobs == {
        "silent": ("failed", "stuck_or_timeout_failure"),
        "long": ("failed", "job_execution_timeout"),
        "lost": ("failed", "stuck_or_timeout_failure"),
    }
    assert owner.client.ok("GET", f"/projects/{project['id']}/pipelines/{pipeline['id']}")["status"] == "failed"
    assert taken["silent"].patch(0, b"back").status_code == 403
