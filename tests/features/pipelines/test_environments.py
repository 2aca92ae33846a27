"""Environments and deployments: of jobs, and of other tools."""

from typing import Any

import pytest
from sqlalchemy import select, update

from ingot.features.environments import environments
from ingot.features.environments.stopping import stop_due
from ingot.kit.clock import now
from tests.support import ci
from tests.support.world import Person, World

CONFIG = """
deploy:
  stage: deploy
  script: x
  environment: {name: review/$CI_COMMIT_REF_SLUG, url: 'https://$CI_ENVIRONMENT_SLUG.example.com', on_stop: halt,
                auto_stop_in: 1 day}
halt:
  stage: deploy
  script: x
  when: manual
  environment: {name: review/$CI_COMMIT_REF_SLUG, action: stop}
"""


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture
def project(world: World, owner: Person) -> dict[str, Any]:
    return world.project(owner, initialize_with_readme=True)


def jobs_of(owner: Person, project: dict[str, Any], pipeline_id: int) -> dict[str, int]:
    found = owner.client.get(f"/projects/{project['id']}/pipelines/{pipeline_id}/jobs").json()
    return {job["name"]: job["id"] for job in found}


def test_a_job_deploys_and_another_stops(world: World, owner: Person, project: dict[str, Any]) -> None:
    base = f"/projects/{project['id']}"
    world.commit(project, "topic", {".gitlab-ci.yml": CONFIG}, user_id=owner.id)
    pipeline = owner.client.get(f"{base}/pipelines").json()[0]
    jobs = jobs_of(owner, project, pipeline["id"])
    ci.take(world, jobs["deploy"])
    assert [row["status"] for row in owner.client.get(f"{base}/deployments").json()] == ["running"]
    ci.end(world, jobs["deploy"])

    listed = owner.client.get(f"{base}/environments", states="available").json()
    one = owner.client.get(f"{base}/environments/{listed[0]['id']}").json()

    assert (one["name"], one["tier"], one["state"]) == ("review/topic", "development", "available")
    assert one["external_url"] == f"https://{one['slug']}.example.com"
    assert one["auto_stop_at"] is not None
    assert one["last_deployment"]["deployable"]["id"] == jobs["deploy"]
    assert one["last_deployment"]["status"] == "success"
    stopping = owner.client.post(f"{base}/environments/{one['id']}/stop")
    assert (stopping.status_code, stopping.json()["state"]) == (200, "stopping")
    ci.run(world, jobs["halt"])
    assert owner.client.get(f"{base}/environments/{one['id']}").json()["state"] == "stopped"
    assert owner.client.delete(f"{base}/environments/{one['id']}").status_code == 204


def test_environments_are_made_changed_filtered_and_deleted(
    world: World, owner: Person, project: dict[str, Any]
) -> None:
    url = f"/projects/{project['id']}/environments"
    made = owner.client.post(url, json={"name": "production", "external_url": "https://example.com"})
    assert (made.status_code, made.json()["tier"], made.json()["slug"]) == (201, "production", "production")
    twice = owner.client.post(url, json={"name": "production"})
    assert (twice.status_code, twice.json()) == (400, {"message": {"name": ["has already been taken"]}})
    assert owner.client.post(url, json={"name": "a\nb"}).status_code == 400
    assert owner.client.post(url, json={}).json() == {"error": "name is missing"}
    owner.client.ok("POST", url, json={"name": "staging/eu", "tier": "staging"})
    one = f"{url}/{made.json()['id']}"

    def names(**params: Any) -> list[str]:
        return [row["name"] for row in owner.client.get(url, **params).json()]

    assert names(name="production") == ["production"]
    assert names(search="stag") == ["staging/eu"]
    assert names(states="stopped") == []
    assert owner.client.get(url, search="st").status_code == 400
    assert owner.client.get(url, search="sta", name="x").status_code == 400
    assert owner.client.ok("PUT", one, json={"tier": "other", "description": "d"})["description"] == "d"
    assert owner.client.delete(one).status_code == 403
    assert owner.client.ok("POST", f"{one}/stop")["state"] == "stopped"
    assert owner.client.delete(one).status_code == 204
    assert owner.client.get(one).json() == {"message": "404 Environment Not Found"}
    reporter, guest = world.user(), world.user()
    world.member(project, reporter, "reporter")
    world.member(project, guest, "guest")
    assert reporter.client.get(url).status_code == 200
    assert reporter.client.post(url, json={"name": "x"}).status_code == 403
    assert guest.client.get(url).status_code == 403


def test_other_tools_record_deployments(world: World, owner: Person, project: dict[str, Any]) -> None:
    url = f"/projects/{project['id']}/deployments"
    sha = world.commit(project, "main", {"a": "1"}, user_id=owner.id)
    wish = {"environment": "production", "sha": sha, "ref": "main", "tag": False, "status": "running"}
    made = owner.client.post(url, json=wish)
    assert made.status_code == 201
    assert (made.json()["environment"]["name"], made.json()["deployable"]) == ("production", None)
    one = f"{url}/{made.json()['id']}"
    assert owner.client.delete(one).json() == {"message": "400 Bad request - Cannot destroy running deployment"}
    assert owner.client.ok("PUT", one, json={"status": "success"})["status"] == "success"
    assert owner.client.put(one, json={"status": "success"}).status_code == 400
    refused = owner.client.delete(one).json()
    assert refused == {"message": "400 Bad request - Deployment currently deployed to environment"}
    later = owner.client.ok("POST", url, json={**wish, "status": "success"})
    assert owner.client.delete(one).status_code == 204

    def ids(**params: Any) -> list[int]:
        answer = owner.client.get(url, **params)
        assert answer.status_code == 200, answer.text
        return [row["id"] for row in answer.json()]

    assert ids(environment="production", status="success") == [later["id"]]
    assert ids(environment="none") == []
    assert ids(status="success", order_by="finished_at", finished_after="2001-01-01") == [later["id"]]
    assert ids(updated_before="2001-01-01") == []
    assert owner.client.get(url, finished_after="2001-01-01").status_code == 400
    assert owner.client.get(f"{url}/{later['id']}/merge_requests").json() == []
    assert owner.client.post(url, json={**wish, "sha": "f" * 40}).json() == {"message": "404 Commit Not Found"}


def test_environments_stop_when_their_time_is_up(world: World, owner: Person, project: dict[str, Any]) -> None:
    url = f"/projects/{project['id']}/environments"
    made = owner.client.ok("POST", url, json={"name": "brief"})
    with world.server.services.db.write() as tx:
        tx.execute(update(environments).where(environments.c.id == made["id"]).values(auto_stop_at=now()))

    assert stop_due(world.server.services) >= 1

    with world.server.services.db.read() as conn:
        state = conn.execute(select(environments.c.state).where(environments.c.id == made["id"])).scalar_one()
    assert state == "stopped"


def test_lists_cost_the_same_however_long_they_are(world: World, owner: Person, project: dict[str, Any]) -> None:
    base = f"/projects/{project['id']}"
    sha = world.commit(project, "main", {".gitlab-ci.yml": "j: {script: x}"}, user_id=owner.id)
    paths = (
        "deployments", "environments", "pipeline_schedules", "triggers", "variables",
        f"repository/commits/{sha}/statuses",
    )  # fmt: skip

    def more(number: int) -> None:
        wish = {"environment": f"place {number}", "sha": sha, "ref": "main", "tag": False, "status": "success"}
        owner.client.ok("POST", f"{base}/deployments", json=wish)
        schedule = {"description": "s", "ref": "main", "cron": "0 1 * * *"}
        owner.client.ok("POST", f"{base}/pipeline_schedules", json=schedule)
        owner.client.ok("POST", f"{base}/triggers", json={"description": "t"})
        owner.client.ok("POST", f"{base}/variables", json={"key": f"K{number}", "value": "v"})
        owner.client.ok("POST", f"{base}/statuses/{sha}", json={"state": "success", "name": f"check {number}"})

    def costs() -> list[int]:
        answers = [[owner.client.get(f"{base}/{path}") for _ in range(2)] for path in paths]
        return [min(int(one.headers["X-Query-Count"]) for one in pair) for pair in answers]

    more(1)
    few = costs()
    for number in range(2, 5):
        more(number)

    assert costs() == few
    assert max(few) <= 6
