"""Environments and deployments: of jobs, and of other tools."""

import gzip
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select, update

from ingot.features.ci.deployments import environments
from ingot.features.ci.environments.cleaning import delete_due
from ingot.features.ci.environments.stopping import stop_due
from ingot.kit.clock import now
from tests.support import ci
from tests.support.runner import project_runner
from tests.support.waiting import until
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
    result = owner.client.get(f"/projects/{project['id']}/pipelines/{pipeline_id}/jobs").json()
    return {job["name"]: job["id"] for job in result}


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
    created = owner.client.post(url, json={"name": "production", "external_url": "https://example.com"})
    assert (created.status_code, created.json()["tier"], created.json()["slug"]) == (201, "production", "production")
    twice = owner.client.post(url, json={"name": "production"})
    assert (twice.status_code, twice.json()) == (400, {"message": {"name": ["has already been taken"]}})
    assert owner.client.post(url, json={"name": "a\nb"}).status_code == 400
    assert owner.client.post(url, json={}).json() == {"error": "name is missing"}
    owner.client.ok("POST", url, json={"name": "staging/eu", "tier": "staging"})
    one = f"{url}/{created.json()['id']}"

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
    body = {"environment": "production", "sha": sha, "ref": "main", "tag": False, "status": "running"}
    created = owner.client.post(url, json=body)
    assert created.status_code == 201
    assert (created.json()["environment"]["name"], created.json()["deployable"]) == ("production", None)
    one = f"{url}/{created.json()['id']}"
    assert owner.client.delete(one).json() == {"message": "400 Bad request - Cannot destroy running deployment"}
    assert owner.client.ok("PUT", one, json={"status": "success"})["status"] == "success"
    assert owner.client.put(one, json={"status": "success"}).status_code == 400
    refused = owner.client.delete(one).json()
    assert refused == {"message": "400 Bad request - Deployment currently deployed to environment"}
    later = owner.client.ok("POST", url, json={**body, "status": "success"})
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
    assert owner.client.post(url, json={**body, "sha": "f" * 40}).json() == {"message": "404 Commit Not Found"}


def test_environments_stop_when_their_time_is_up(world: World, owner: Person, project: dict[str, Any]) -> None:
    url = f"/projects/{project['id']}/environments"
    created = owner.client.ok("POST", url, json={"name": "brief"})
    with world.server.services.db.write() as tx:
        tx.execute(update(environments).where(environments.c.id == created["id"]).values(auto_stop_at=now()))

    stop_due(world.server.services)  # the server may look at the clock first

    def state() -> str:
        query = select(environments.c.state).where(environments.c.id == created["id"])
        with world.server.services.db.read() as conn:
            return str(conn.execute(query).scalar_one())

    until(lambda: state() == "stopped")


def test_only_environments_with_a_stop_job_stop_by_the_clock_where_they_say_so(
    world: World, owner: Person, project: dict[str, Any]
) -> None:
    url = f"/projects/{project['id']}/environments"
    created = owner.client.ok("POST", url, json={"name": "kept", "auto_stop_setting": "with_action"})
    with world.server.services.db.write() as tx:
        tx.execute(update(environments).where(environments.c.id == created["id"]).values(auto_stop_at=now()))

    stop_due(world.server.services)

    until(lambda: owner.client.ok("GET", f"{url}/{created['id']}")["auto_stop_at"] is None)
    assert owner.client.ok("GET", f"{url}/{created['id']}")["state"] == "available"


def test_deleting_the_branch_runs_the_stop_job_of_its_review_app(
    world: World, owner: Person, project: dict[str, Any]
) -> None:
    base = f"/projects/{project['id']}"
    for branch in ("topic", "other"):
        world.commit(project, branch, {".gitlab-ci.yml": CONFIG}, user_id=owner.id)
        pipeline = owner.client.get(f"{base}/pipelines", ref=branch).json()[0]
        ci.run(world, jobs_of(owner, project, pipeline["id"])["deploy"])
    halts = jobs_of(owner, project, owner.client.get(f"{base}/pipelines", ref="topic").json()[0]["id"])

    owner.client.delete(f"{base}/repository/branches/topic")
    world.run_jobs()

    states = {one["name"]: one["state"] for one in owner.client.get(f"{base}/environments").json()}
    assert states == {"review/topic": "stopping", "review/other": "available"}
    assert owner.client.ok("GET", f"{base}/jobs/{halts['halt']}")["status"] == "pending"


def test_closing_the_request_runs_the_stop_job_of_its_review_app(
    world: World, owner: Person, project: dict[str, Any]
) -> None:
    base = f"/projects/{project['id']}"
    only = "\nworkflow: {rules: [{if: '$CI_MERGE_REQUEST_IID'}]}\n"
    world.commit(project, "topic", {".gitlab-ci.yml": CONFIG + only}, user_id=owner.id)
    body = {"source_branch": "topic", "target_branch": "main", "title": "Topic"}
    created = owner.client.ok("POST", f"{base}/merge_requests", json=body)
    world.run_jobs()
    pipeline = owner.client.get(f"{base}/merge_requests/{created['iid']}/pipelines").json()[0]
    ci.run(world, jobs_of(owner, project, pipeline["id"])["deploy"])

    owner.client.ok("PUT", f"{base}/merge_requests/{created['iid']}", json={"state_event": "close"})
    world.run_jobs()

    assert [one["state"] for one in owner.client.get(f"{base}/environments").json()] == ["stopping"]


def test_lists_cost_the_same_however_long_they_are(world: World, owner: Person, project: dict[str, Any]) -> None:
    base = f"/projects/{project['id']}"
    sha = world.commit(project, "main", {".gitlab-ci.yml": "j: {script: x}"}, user_id=owner.id)
    paths = (
        "deployments", "environments", "pipeline_schedules", "triggers", "variables",
        f"repository/commits/{sha}/statuses",
    )  # fmt: skip

    def more(number: int) -> None:
        body = {"environment": f"place {number}", "sha": sha, "ref": "main", "tag": False, "status": "success"}
        owner.client.ok("POST", f"{base}/deployments", json=body)
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


def _age(world: World, project: dict[str, Any], days: int, **more: Any) -> None:
    """Make all environments of a project as old as this."""
    moment = now() - timedelta(days=days)
    with world.server.services.db.write() as tx:
        tx.execute(
            update(environments)
            .where(environments.c.project_id == project["id"])
            .values(created_at=moment, updated_at=moment, **more)
        )


def test_environments_that_nobody_uses_are_stopped_together(
    world: World, owner: Person, project: dict[str, Any]
) -> None:
    url = f"/projects/{project['id']}/environments"
    sha = world.commit(project, "main", {"x": "y"}, message="x [skip ci]", user_id=owner.id)
    for name in ("old", "deployed", "new"):
        owner.client.ok("POST", url, json={"name": name})
    _age(world, project, 40)
    owner.client.ok("PUT", f"{url}/{_id_of(owner, url, 'new')}", json={"description": "still in use"})
    body = {"environment": "deployed", "sha": sha, "ref": "main", "tag": False, "status": "success"}
    owner.client.ok("POST", f"/projects/{project['id']}/deployments", json=body)
    before = (now() - timedelta(days=30)).isoformat()

    said = owner.client.post(f"{url}/stop_stale", json={"before": before})
    world.run_jobs()

    assert (said.status_code, said.json()) == (
        200,
        {"message": "Successfully requested stop for all stale environments"},
    )
    assert {one["name"]: one["state"] for one in owner.client.get(url).json()} == {
        "old": "stopped", "deployed": "available", "new": "available",
    }  # fmt: skip


def test_stopping_stale_environments_needs_a_sensible_date_and_a_developer(
    world: World, owner: Person, project: dict[str, Any]
) -> None:
    url = f"/projects/{project['id']}/environments/stop_stale"
    assert owner.client.post(url).json() == {"error": "before is missing"}
    for days in (1, 4000):
        refused = owner.client.post(url, json={"before": (now() - timedelta(days=days)).isoformat()})
        assert (refused.status_code, refused.json()) == (400, {"message": "400 Bad request - Invalid Date"})
    reporter = world.user()
    world.member(project, reporter, "reporter")
    assert reporter.client.post(url, json={"before": "2024-01-01"}).status_code == 403
    assert world.anonymous.post(url, json={"before": "2024-01-01"}).status_code == 401


def _id_of(owner: Person, url: str, name: str) -> int:
    return int(owner.client.get(url, name=name).json()[0]["id"])


def test_stopped_review_apps_are_deleted_after_a_week(world: World, owner: Person, project: dict[str, Any]) -> None:
    url = f"/projects/{project['id']}/environments"
    for name in ("review/a", "review/b", "production"):
        owner.client.ok("POST", url, json={"name": name})
    _age(world, project, 40, state="stopped")
    owner.client.ok("POST", url, json={"name": "review/running"})

    listed = owner.client.delete(f"{url}/review_apps").json()
    assert [one["name"] for one in listed["scheduled_entries"]] == ["review/a", "review/b"]
    assert listed["unprocessable_entries"] == []
    assert [one["name"] for one in owner.client.delete(f"{url}/review_apps?limit=1").json()["scheduled_entries"]] == [
        "review/a"
    ]
    early = owner.client.delete(f"{url}/review_apps?before=2020-01-01T00:00:00Z").json()
    assert early["scheduled_entries"] == []
    assert owner.client.delete(f"{url}/review_apps?limit=1001").json() == {"error": "limit does not have a valid value"}
    done = owner.client.delete(f"{url}/review_apps?dry_run=false")
    assert (done.status_code, len(done.json()["scheduled_entries"])) == (200, 2)
    assert owner.client.delete(f"{url}/review_apps").json()["scheduled_entries"] == []

    def names() -> set[str]:
        with world.server.services.db.write() as tx:
            delete_due(tx)
        return {one["name"] for one in owner.client.get(url).json()}

    assert names() == {"review/a", "review/b", "production", "review/running"}
    with world.server.services.db.write() as tx:
        gone = environments.c.auto_delete_at.is_not(None) & (environments.c.name == "review/a")
        tx.execute(update(environments).where(gone).values(auto_delete_at=now()))
    assert names() == {"review/b", "production", "review/running"}


ADDRESSED = """
stages: [build, deploy]
build: {stage: build, script: [x], artifacts: {reports: {dotenv: a.env}}}
deploy:
  stage: deploy
  script: [x]
  artifacts: {reports: {dotenv: b.env}}
  environment: {name: live, url: 'https://$EARLIER.$OWN.$DOMAIN/$CI_PROJECT_PATH_SLUG$NOWHERE'}
"""


def test_an_address_is_made_of_everything_that_the_job_knows(
    world: World, owner: Person, project: dict[str, Any]
) -> None:
    base = f"/projects/{project['id']}"
    owner.client.ok("POST", f"{base}/variables", json={"key": "DOMAIN", "value": "example.com"})
    world.commit(project, "main", {".gitlab-ci.yml": ADDRESSED}, user_id=owner.id)
    runner = project_runner(world, project)

    for text in (b"EARLIER=one", b"OWN=two"):
        job = runner.take()
        assert job.upload(gzip.compress(text), "dotenv", "gzip", ".env.gz").status_code == 201
        job.succeed()

    one = owner.client.ok("GET", f"{base}/environments")[0]
    slug = project["path_with_namespace"].replace("/", "-")
    assert one["external_url"] == f"https://one.two.example.com/{slug}"
