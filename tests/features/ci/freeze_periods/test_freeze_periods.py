"""Freeze periods: from creation to removal, who may what, and what pipelines made in one are told."""

from datetime import UTC, datetime
from typing import Any

import pytest

from ingot.kit.cron import find_zone, parse_cron
from tests.support.runner import project_runner
from tests.support.world import Person, World

CONFIG = """
build: {script: 'true'}
deploy: {script: 'true', rules: [{if: '$CI_DEPLOY_FREEZE == null'}]}
"""
ALWAYS = {"freeze_start": "* * * * *", "freeze_end": "0 0 29 2 *"}
NEVER = {"freeze_start": "0 0 29 2 *", "freeze_end": "* * * * *"}


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def project(world: World, owner: Person) -> dict[str, Any]:
    created = world.project(owner, initialize_with_readme=True)
    world.commit(created, "main", {".gitlab-ci.yml": CONFIG}, user_id=owner.id, message="Set up [skip ci]")
    return created


def test_a_period_from_creation_to_removal(owner: Person, project: dict[str, Any]) -> None:
    path, call = f"/projects/{project['id']}/freeze_periods", owner.client.ok
    body = {"freeze_start": "0 23 * * 5", "freeze_end": "0 7 * * 1", "cron_timezone": "Berlin"}
    created = call("POST", path, json=body)
    assert created == {**body, **{name: created[name] for name in ("id", "created_at", "updated_at")}}
    assert call("POST", path, json=NEVER)["cron_timezone"] == "UTC"
    assert created in call("GET", path)
    changed = call("PUT", f"{path}/{created['id']}", json={"freeze_end": "0 8 * * 1"})
    assert (changed["freeze_start"], changed["freeze_end"]) == ("0 23 * * 5", "0 8 * * 1")
    assert call("GET", f"{path}/{created['id']}") == changed
    assert owner.client.delete(f"{path}/{created['id']}").status_code == 204
    assert owner.client.get(f"{path}/{created['id']}").json() == {"message": "404 Not found"}


@pytest.mark.parametrize(
    ("body", "answer"),
    [
        ({"freeze_end": "0 8 * * 1"}, {"error": "freeze_start is missing"}),
        ({**NEVER, "freeze_start": "at night"}, {"message": {"freeze_start": [" is invalid syntax"]}}),
        ({**NEVER, "freeze_end": "0 0 30 2 *"}, {"message": {"freeze_end": [" is invalid syntax"]}}),
        ({**NEVER, "cron_timezone": "Moon"}, {"message": {"cron_timezone": [" is invalid syntax"]}}),
    ],
)
def test_what_is_no_period_is_refused(
    owner: Person, project: dict[str, Any], body: dict[str, str], answer: dict[str, Any]
) -> None:
    refused = owner.client.post(f"/projects/{project['id']}/freeze_periods", json=body)
    assert (refused.status_code, refused.json()) == (400, answer)


def test_reporters_read_and_maintainers_write(world: World, owner: Person, project: dict[str, Any]) -> None:
    path = f"/projects/{project['id']}/freeze_periods"
    created = owner.client.ok("POST", path, json=NEVER)
    reporter, developer, outsider = world.user(), world.user(), world.user()
    world.member(project, reporter, "reporter")
    world.member(project, developer, "developer")
    assert created in reporter.client.ok("GET", path)
    assert developer.client.post(path, json=NEVER).status_code == 403
    assert developer.client.put(f"{path}/{created['id']}", json=ALWAYS).status_code == 403
    assert developer.client.delete(f"{path}/{created['id']}").status_code == 403
    assert outsider.client.get(path).status_code == 404
    assert world.anonymous.get(path).status_code == 401
    elsewhere = world.project(owner)
    assert owner.client.delete(f"/projects/{elsewhere['id']}/freeze_periods/{created['id']}").status_code == 404


def test_pipelines_made_in_a_period_are_told_so(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    world.commit(project, "main", {".gitlab-ci.yml": CONFIG}, user_id=owner.id, message="Set up [skip ci]")
    path, runner = f"/projects/{project['id']}", project_runner(world, project)
    period = owner.client.ok("POST", f"{path}/freeze_periods", json=ALWAYS)
    frozen = owner.client.ok("POST", f"{path}/pipeline?ref=main")
    assert [job["name"] for job in owner.client.ok("GET", f"{path}/pipelines/{frozen['id']}/jobs")] == ["build"]
    job = runner.take()
    assert job.variable("CI_DEPLOY_FREEZE") == "true"
    job.succeed()

    owner.client.ok("PUT", f"{path}/freeze_periods/{period['id']}", json=NEVER)
    free = owner.client.ok("POST", f"{path}/pipeline?ref=main")
    assert len(owner.client.ok("GET", f"{path}/pipelines/{free['id']}/jobs")) == 2
    assert runner.take().variable("CI_DEPLOY_FREEZE") is None


def test_the_last_moment_of_a_cron_expression() -> None:
    zone = find_zone("Europe/Berlin")
    assert zone is not None
    weekly = parse_cron("30 7 * * 1")  # 2026-03-02 was a Monday; Berlin is an hour ahead of UTC then
    assert weekly.last_before(datetime(2026, 3, 2, 6, 30, tzinfo=UTC), zone) == datetime(2026, 3, 2, 6, 30, tzinfo=UTC)
    assert weekly.last_before(datetime(2026, 3, 2, 6, 29, tzinfo=UTC), zone) == datetime(2026, 2, 23, 6, 30, tzinfo=UTC)
    leap = parse_cron("0 0 29 2 *").last_before(datetime(2026, 1, 1, tzinfo=UTC), zone)
    assert leap == datetime(2024, 2, 28, 23, 0, tzinfo=UTC)
