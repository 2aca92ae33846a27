"""Pipeline schedules: cron, owners, variables, and the clock."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import update

from ingot.features.ci.pipeline_schedules.commands import claim_due, has_run_since
from ingot.features.ci.pipeline_schedules.tables import pipeline_schedules
from ingot.kit.cron import BadCron, find_zone, parse_cron
from ingot.kit.jobs import enqueue
from tests.support.world import Person, World

CONFIG = "job: {script: 'true', rules: [{if: '$CI_PIPELINE_SOURCE == \"schedule\"'}]}"


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture
def project(world: World, owner: Person) -> dict[str, Any]:
    created = world.project(owner, initialize_with_readme=True)
    world.commit(created, "main", {".gitlab-ci.yml": CONFIG}, user_id=owner.id)
    return created


def create(person: Person, project: dict[str, Any], **more: Any) -> Any:
    body = {"description": "Nightly", "ref": "main", "cron": "0 1 * * *", **more}
    return person.client.post(f"/projects/{project['id']}/pipeline_schedules", json=body)


def test_a_schedule_is_made_changed_played_and_deleted(world: World, owner: Person, project: dict[str, Any]) -> None:
    created = create(owner, project, cron_timezone="Europe/Berlin")
    assert created.status_code == 201
    schedule = created.json()
    assert schedule["active"] is True
    assert schedule["owner"]["username"] == owner.username
    assert schedule["next_run_at"] > schedule["created_at"]
    assert (schedule["last_pipeline"], schedule["variables"], schedule["inputs"]) == (None, [], [])
    url = f"/projects/{project['id']}/pipeline_schedules/{schedule['id']}"

    changed = owner.client.ok("PUT", url, json={"active": False, "cron": "@weekly"})
    assert (changed["active"], changed["cron"]) == (False, "@weekly")
    assert owner.client.get(f"/projects/{project['id']}/pipeline_schedules", scope="active").json() == []
    played = owner.client.post(f"{url}/play")

    assert (played.status_code, played.json()) == (201, {"message": "201 Created"})
    pipelines = owner.client.get(f"{url}/pipelines").json()
    assert [one["source"] for one in pipelines] == ["schedule"]
    assert owner.client.get(url).json()["last_pipeline"]["id"] == pipelines[0]["id"]
    assert owner.client.delete(url).status_code == 204
    assert owner.client.get(url).json() == {"message": "404 Pipeline Schedule Not Found"}


def test_bad_schedules_are_refused(owner: Person, project: dict[str, Any]) -> None:
    assert create(owner, project, cron="every day").json() == {"message": {"cron": ["is invalid syntax"]}}
    wrong_zone = create(owner, project, cron_timezone="Nowhere/Land")
    assert wrong_zone.json() == {"message": {"cron_timezone": ["is invalid syntax"]}}
    assert create(owner, project, ref="gone").status_code == 400
    bare = owner.client.post(f"/projects/{project['id']}/pipeline_schedules", json={})
    assert bare.json() == {"error": "description is missing, ref is missing, cron is missing"}


def test_the_number_of_schedules_is_limited(world: World, owner: Person, project: dict[str, Any]) -> None:
    world.admin.ok("PUT", "/application/plan_limits", json={"plan_name": "default", "ci_pipeline_schedules": 1})
    try:
        assert create(owner, project).status_code == 201
        full = create(owner, project)
        sentence = "Maximum number of ci pipeline schedules (1) exceeded"
        assert (full.status_code, full.json()) == (400, {"message": {"base": [sentence]}})
    finally:
        world.admin.ok("PUT", "/application/plan_limits", json={"plan_name": "default", "ci_pipeline_schedules": 10})


def test_variables_of_a_schedule_reach_its_pipelines(owner: Person, project: dict[str, Any]) -> None:
    schedule = create(owner, project).json()
    url = f"/projects/{project['id']}/pipeline_schedules/{schedule['id']}"

    created = owner.client.post(f"{url}/variables", json={"key": "DEPTH", "value": "full"})
    assert (created.status_code, created.json()) == (
        201, {"key": "DEPTH", "variable_type": "env_var", "value": "full", "raw": False},
    )  # fmt: skip
    assert owner.client.post(f"{url}/variables", json={"key": "DEPTH", "value": "x"}).status_code == 400
    assert owner.client.ok("PUT", f"{url}/variables/DEPTH", json={"value": "half"})["value"] == "half"
    owner.client.ok("POST", f"{url}/play")
    pipeline = owner.client.get(f"{url}/pipelines").json()[0]
    given = owner.client.get(f"/projects/{project['id']}/pipelines/{pipeline['id']}/variables").json()
    assert [(one["key"], one["value"]) for one in given] == [("DEPTH", "half")]
    gone = owner.client.delete(f"{url}/variables/DEPTH")
    assert (gone.status_code, gone.json()["key"]) == (202, "DEPTH")
    missing = owner.client.put(f"{url}/variables/DEPTH", json={"value": "x"})
    assert missing.json() == {"message": "404 Pipeline Schedule Variable Not Found"}


def test_only_owner_and_maintainers_change_a_schedule(world: World, owner: Person, project: dict[str, Any]) -> None:
    developer, maintainer, reporter = world.user(), world.user(), world.user()
    for person, role in ((developer, "developer"), (maintainer, "maintainer"), (reporter, "reporter")):
        world.member(project, person, role)
    schedule = create(owner, project).json()
    url = f"/projects/{project['id']}/pipeline_schedules/{schedule['id']}"

    assert "variables" not in developer.client.get(url).json()
    assert developer.client.put(url, json={"description": "Mine"}).status_code == 403
    assert developer.client.post(f"{url}/take_ownership").status_code == 403
    assert developer.client.post(f"{url}/play").status_code == 403  # main is protected
    assert create(developer, project).status_code == 403
    assert create(reporter, project).status_code == 403
    taken = maintainer.client.post(f"{url}/take_ownership")
    assert (taken.status_code, taken.json()["owner"]["username"]) == (201, maintainer.username)
    assert world.anonymous.get(url).status_code == 401


def test_the_clock_runs_due_schedules_once(world: World, owner: Person, project: dict[str, Any]) -> None:
    schedule = create(owner, project).json()
    db = world.server.services.db
    past = datetime.now(UTC) - timedelta(minutes=5)
    with db.write() as tx:
        tx.execute(update(pipeline_schedules).where(pipeline_schedules.c.id == schedule["id"]).values(next_run_at=past))
        enqueue(tx, "pipeline_schedules.tick")
    world.run_jobs()
    world.run_jobs()

    url = f"/projects/{project['id']}/pipeline_schedules/{schedule['id']}"
    assert len(owner.client.get(f"{url}/pipelines").json()) == 1
    assert owner.client.get(url).json()["next_run_at"] > owner.client.get(url).json()["created_at"]
    assert has_run_since(world.server.services, schedule["id"], past)
    assert not has_run_since(world.server.services, schedule["id"], datetime.now(UTC) + timedelta(minutes=1))
    with db.write() as tx:
        assert schedule["id"] not in [one for one, _ in claim_due(tx, datetime.now(UTC))]


@pytest.mark.parametrize(
    ("cron", "zone", "after", "expected"),
    [
        ("*/15 * * * *", "UTC", "2026-03-01T10:07:00", "2026-03-01T10:15:00"),
        ("0 1 * * *", "Europe/Berlin", "2026-01-10T00:30:00", "2026-01-11T00:00:00"),
        ("30 9 * * mon-fri", "UTC", "2026-11-13T09:30:00", "2026-11-16T09:30:00"),
        ("0 0 29 2 *", "UTC", "2026-01-01T00:00:00", "2028-02-29T00:00:00"),
        ("0 0 13 * 5", "UTC", "2026-11-01T00:00:00", "2026-11-06T00:00:00"),
        ("5 4 * * 7", "UTC", "2026-11-14T00:00:00", "2026-11-15T04:05:00"),
        ("@monthly", "UTC", "2026-12-05T00:00:00", "2027-01-01T00:00:00"),
        ("0 12 1,15 jan,jul *", "America/New_York", "2026-01-02T00:00:00", "2026-01-15T17:00:00"),
    ],
)
def test_cron_finds_the_next_moment(cron: str, zone: str, after: str, expected: str) -> None:
    found_zone = find_zone(zone)
    assert found_zone is not None
    result = parse_cron(cron).next_after(datetime.fromisoformat(after).replace(tzinfo=UTC), found_zone)
    assert result == datetime.fromisoformat(expected).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    "cron", ["", "* * * *", "60 * * * *", "* 24 * * *", "*/0 * * * *", "a b c d e", "0 0 30 2 *", "5-1 * * * *"]
)
def test_what_is_no_cron_is_refused(cron: str) -> None:
    with pytest.raises(BadCron):
        parse_cron(cron)


@pytest.mark.parametrize(
    ("name", "zone"),
    [("UTC", "UTC"), ("Berlin", "Europe/Berlin"), ("Pacific Time (US & Canada)", "America/Los_Angeles"), ("x", None)],
)
def test_time_zones_have_several_names(name: str, zone: str | None) -> None:
    result = find_zone(name)
    assert (result.key if result else None) == zone
