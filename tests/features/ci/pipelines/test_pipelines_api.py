"""Pipelines over HTTP: created, listed, moved by jobs, retried, cancelled, deleted."""

from typing import Any

import pytest

from tests.support import ci
from tests.support.world import Person, World

CONFIG = """
stages: [build, test, deploy]
compile:
  stage: build
  script: make
unit:
  stage: test
  script: make test
lint:
  stage: test
  script: make lint
  allow_failure: true
publish:
  stage: deploy
  script: make publish
  when: manual
"""


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture
def project(world: World, owner: Person) -> dict[str, Any]:
    created = world.project(owner, initialize_with_readme=True)
    world.commit(created, "main", {".gitlab-ci.yml": CONFIG}, message="Add CI [skip ci]", user_id=owner.id)
    return created


def start(owner: Person, project: dict[str, Any], **more: Any) -> dict[str, Any]:
    created: dict[str, Any] = owner.client.ok(
        "POST", f"/projects/{project['id']}/pipeline", json={"ref": "main", **more}
    )
    return created


def jobs_of(person: Person, pipeline: dict[str, Any], **params: Any) -> dict[str, dict[str, Any]]:
    answer = person.client.get(f"/projects/{pipeline['project_id']}/pipelines/{pipeline['id']}/jobs", **params)
    assert answer.status_code == 200, answer.text
    return {job["name"]: job for job in answer.json()}


def read(person: Person, pipeline: dict[str, Any]) -> dict[str, Any]:
    result: dict[str, Any] = person.client.ok("GET", f"/projects/{pipeline['project_id']}/pipelines/{pipeline['id']}")
    return result


def test_a_pipeline_runs_stage_by_stage_to_success(world: World, owner: Person, project: dict[str, Any]) -> None:
    created = start(owner, project)

    assert created["status"] == "pending"
    assert created["source"] == "api"
    assert created["ref"] == "main"
    assert created["before_sha"] == "0" * 40
    assert created["tag"] is False
    assert created["user"]["username"] == owner.username
    assert created["detailed_status"]["text"] == "Pending"
    assert created["web_url"].endswith(f"/{project['path_with_namespace']}/-/pipelines/{created['id']}")
    jobs = jobs_of(owner, created)
    assert {name: job["status"] for name, job in jobs.items()} == {
        "compile": "pending", "unit": "created", "lint": "created", "publish": "created",
    }  # fmt: skip

    ci.take(world, jobs["compile"]["id"])
    assert read(owner, created)["status"] == "running"
    ci.end(world, jobs["compile"]["id"])
    jobs = jobs_of(owner, created)
    assert {jobs[name]["status"] for name in ("unit", "lint")} == {"pending"}
    ci.run(world, jobs["unit"]["id"])
    ci.run(world, jobs["lint"]["id"], "failed", failure_reason="script_failure")

    assert jobs_of(owner, created)["publish"]["status"] == "manual"
    ended = read(owner, created)
    assert ended["status"] == "success"
    assert ended["detailed_status"]["label"] == "passed with warnings"
    assert ended["finished_at"] is not None
    assert isinstance(ended["duration"], int)


def test_a_job_shows_every_documented_field(world: World, owner: Person, project: dict[str, Any]) -> None:
    created = start(owner, project)
    job_id = jobs_of(owner, created)["compile"]["id"]
    ci.run(world, job_id, "failed", failure_reason="script_failure")

    job = owner.client.ok("GET", f"/projects/{project['id']}/jobs/{job_id}")

    assert set(job) == {
        "id", "status", "stage", "name", "ref", "tag", "coverage", "allow_failure", "created_at", "started_at",
        "finished_at", "erased_at", "duration", "queued_duration", "user", "commit", "pipeline", "failure_reason",
        "web_url", "project", "source", "archived", "artifacts", "runner", "runner_manager", "artifacts_expire_at",
        "tag_list", "download_url",
    }  # fmt: skip
    assert job["failure_reason"] == "script_failure"
    assert job["commit"]["title"] == "Add CI [skip ci]"
    assert job["pipeline"]["id"] == created["id"]
    assert job["user"]["username"] == owner.username
    assert job["project"] == {"ci_job_token_scope_enabled": False}


def test_a_failed_job_skips_the_later_stages_and_retrying_it_reopens_them(
    world: World, owner: Person, project: dict[str, Any]
) -> None:
    created = start(owner, project)
    first = jobs_of(owner, created)["compile"]
    ci.run(world, first["id"], "failed", failure_reason="script_failure")
    assert read(owner, created)["status"] == "failed"
    assert jobs_of(owner, created)["unit"]["status"] == "skipped"

    again = owner.client.post(f"/projects/{project['id']}/jobs/{first['id']}/retry")

    assert again.status_code == 201
    assert again.json()["status"] == "pending"
    assert again.json()["id"] != first["id"]
    assert jobs_of(owner, created)["compile"]["id"] == again.json()["id"]
    listed = owner.client.get(f"/projects/{project['id']}/pipelines/{created['id']}/jobs", include_retried=True).json()
    assert [job["name"] for job in listed].count("compile") == 2
    assert jobs_of(owner, created)["unit"]["status"] == "created"
    refused = owner.client.post(f"/projects/{project['id']}/jobs/{first['id']}/retry")
    assert (refused.status_code, refused.json()) == (403, {"message": "403 Forbidden - Job is not retryable"})


def test_retrying_a_pipeline_runs_failed_and_cancelled_jobs_again(
    world: World, owner: Person, project: dict[str, Any]
) -> None:
    created = start(owner, project)
    ci.run(world, jobs_of(owner, created)["compile"]["id"])
    jobs = jobs_of(owner, created)
    ci.run(world, jobs["unit"]["id"], "failed")
    owner.client.ok("POST", f"/projects/{project['id']}/jobs/{jobs['lint']['id']}/cancel")

    again = owner.client.post(f"/projects/{project['id']}/pipelines/{created['id']}/retry")

    assert again.status_code == 201
    after = jobs_of(owner, created)
    assert after["compile"]["id"] == jobs["compile"]["id"]
    assert after["unit"]["status"] == after["lint"]["status"] == "pending"


def test_cancelling_a_pipeline_cancels_what_has_not_ended(world: World, owner: Person, project: dict[str, Any]) -> None:
    created = start(owner, project)
    ci.take(world, jobs_of(owner, created)["compile"]["id"])

    answer = owner.client.post(f"/projects/{project['id']}/pipelines/{created['id']}/cancel")

    assert answer.status_code == 200
    assert answer.json()["status"] == "canceled"
    assert {job["status"] for job in jobs_of(owner, created).values()} == {"canceled"}
    unchanged = owner.client.post(f"/projects/{project['id']}/jobs/{jobs_of(owner, created)['unit']['id']}/cancel")
    assert (unchanged.status_code, unchanged.json()["status"]) == (201, "canceled")


def test_a_runner_that_can_cancel_gracefully_gets_the_chance(
    world: World, owner: Person, project: dict[str, Any]
) -> None:
    created = start(owner, project)
    job = jobs_of(owner, created)["compile"]
    ci.take(world, job["id"])
    ci.set_columns(world, job["id"], cancels_gracefully=True)

    answer = owner.client.ok("POST", f"/projects/{project['id']}/jobs/{job['id']}/cancel")
    assert answer["status"] == "canceling"
    ci.end(world, job["id"], "success")

    assert jobs_of(owner, created)["compile"]["status"] == "canceled"


def test_manual_jobs_are_played_with_variables(world: World, owner: Person, project: dict[str, Any]) -> None:
    created = start(owner, project)
    for name in ("compile", "unit", "lint"):
        ci.run(world, jobs_of(owner, created)[name]["id"])
    manual = jobs_of(owner, created)["publish"]
    url = f"/projects/{project['id']}/jobs/{manual['id']}/play"

    played = owner.client.post(url, json={"job_variables_attributes": [{"key": "WHERE", "value": "there"}]})

    assert (played.status_code, played.json()["status"]) == (200, "pending")
    refused = owner.client.post(url)
    assert (refused.status_code, refused.json()) == (400, {"message": "400 Bad request - Unplayable Job"})
    assert read(owner, created)["status"] == "running"
    ci.run(world, manual["id"])
    replayed = owner.client.post(url)
    assert replayed.json()["id"] != manual["id"]


def test_creation_is_refused_with_the_documented_sentences(
    world: World, owner: Person, project: dict[str, Any]
) -> None:
    url = f"/projects/{project['id']}/pipeline"
    world.commit(project, "broken", {".gitlab-ci.yml": "job: {stage: nowhere, script: x}"}, user_id=owner.id)
    world.commit(project, "filtered", {".gitlab-ci.yml": "workflow: {rules: [{when: never}]}\nj: {script: x}"})
    world.commit(project, "empty", {".gitlab-ci.yml": "j: {script: x, rules: [{when: never}]}"})

    def refusal(**options: Any) -> tuple[int, Any]:
        answer = owner.client.post(url, json=options)
        return answer.status_code, answer.json()

    assert refusal() == (400, {"error": "ref is missing"})
    assert refusal(ref="main~1") == (400, {"message": {"base": ["Reference not found"]}})
    world.commit(project, "odd", {".gitlab-ci.yml": 'j: {script: "a\\0b"}'})
    assert refusal(ref="odd") == (400, {"message": {"base": ["The configuration contains a NUL character"]}})
    world.commit(project, "long", {".gitlab-ci.yml": f"j: {{script: x, tags: [{'t' * 256}]}}"})
    assert refusal(ref="long")[1]["message"]["base"][0].startswith("j job: name, stage and tags may have at most")
    assert refusal(ref="gone") == (400, {"message": {"base": ["Reference not found"]}})
    assert refusal(ref="filtered") == (400, {"message": {"base": ["Pipeline filtered out by workflow rules."]}})
    assert refusal(ref="empty") == (400, {"message": {"base": ["No stages / jobs for this pipeline."]}})
    status, body = refusal(ref="broken")
    assert status == 400
    assert (
        "chosen stage does not exist; available stages are .pre, build, test, deploy, .post"
        in body["message"]["base"][0]
    )
    bare = world.project(owner, initialize_with_readme=True)
    missing = owner.client.post(f"/projects/{bare['id']}/pipeline", json={"ref": "main"})
    assert missing.json() == {"message": {"base": ["Missing CI config file"]}}
    assert owner.client.ok("GET", f"/projects/{bare['id']}/pipelines") == []


def test_protected_refs_are_for_those_who_may_push_there(world: World, owner: Person, project: dict[str, Any]) -> None:
    developer = world.user()
    world.member(project, developer, "developer")

    answer = developer.client.post(f"/projects/{project['id']}/pipeline", json={"ref": "main"})

    sentence = "Insufficient permissions for protected ref 'main'"
    assert (answer.status_code, answer.json()) == (400, {"message": {"base": [sentence]}})
    world.commit(project, "topic", {"a.txt": "a"}, user_id=owner.id)
    assert developer.client.post(f"/projects/{project['id']}/pipeline", json={"ref": "topic"}).status_code == 201
    created = start(owner, project)
    job = jobs_of(owner, created)["compile"]
    for verb in ("cancel", "retry", "play"):
        assert developer.client.post(f"/projects/{project['id']}/jobs/{job['id']}/{verb}").status_code == 403
    assert developer.client.post(f"/projects/{project['id']}/pipelines/{created['id']}/cancel").status_code == 403


def test_roles_of_reading_and_changing(world: World, owner: Person, project: dict[str, Any]) -> None:
    created = start(owner, project)
    job = jobs_of(owner, created)["compile"]
    stranger, reporter, guest = world.user(), world.user(), world.user()
    world.member(project, reporter, "reporter")
    world.member(project, guest, "guest")
    base = f"/projects/{project['id']}"

    assert stranger.client.get(f"{base}/pipelines").status_code == 404
    assert world.anonymous.get(f"{base}/pipelines").status_code == 404
    assert world.anonymous.get(f"{base}/jobs").status_code == 401
    assert reporter.client.get(f"{base}/jobs/{job['id']}").status_code == 200
    assert guest.client.get(f"{base}/jobs/{job['id']}").status_code == 200
    assert reporter.client.post(f"{base}/pipeline", json={"ref": "main"}).status_code == 403
    assert reporter.client.post(f"{base}/jobs/{job['id']}/cancel").status_code == 403
    assert reporter.client.get(f"{base}/pipelines/{created['id']}/variables").status_code == 403
    assert reporter.client.delete(f"{base}/pipelines/{created['id']}").status_code == 403
    owner.client.ok("PUT", base, json={"public_jobs": False})
    assert guest.client.get(f"{base}/pipelines").status_code == 403
    assert reporter.client.get(f"{base}/pipelines").status_code == 200
    owner.client.ok("PUT", base, json={"visibility": "public", "public_jobs": True})
    assert world.anonymous.get(f"{base}/pipelines").status_code == 200
    owner.client.ok("PUT", base, json={"public_jobs": False})
    assert world.anonymous.get(f"{base}/pipelines").status_code == 403
    owner.client.ok("PUT", base, json={"builds_access_level": "disabled"})
    assert owner.client.get(f"{base}/pipelines").status_code == 403


def test_lists_are_filtered_and_ordered(world: World, owner: Person, project: dict[str, Any]) -> None:
    base = f"/projects/{project['id']}/pipelines"
    world.commit(project, "topic", {"a.txt": "a"}, user_id=owner.id)
    first, second = start(owner, project), start(owner, project)
    owner.client.ok("POST", f"{base}/{first['id']}/cancel")
    owner.client.ok("PUT", f"{base}/{second['id']}/metadata", json={"name": "Nightly"})

    def ids(**params: Any) -> list[int]:
        answer = owner.client.get(base, **params)
        assert answer.status_code == 200, answer.text
        return [row["id"] for row in answer.json()]

    everything = ids()
    assert everything == sorted(everything, reverse=True)
    assert set(owner.client.get(base).json()[0]) >= {"id", "iid", "name", "source", "web_url"}
    assert ids(status="canceled") == [first["id"]]
    assert second["id"] in ids(scope="pending")
    assert first["id"] not in ids(scope="pending")
    assert ids(scope="finished") == [first["id"]]
    assert ids(ref="topic", source="push") != []
    assert ids(source="api") == [second["id"], first["id"]]
    assert ids(name="Nightly") == [second["id"]]
    assert ids(sha=first["sha"], sort="asc") == [i for i in sorted(everything) if i in ids(sha=first["sha"])]
    assert ids(username=owner.username) == everything
    assert ids(username="nobody-at-all") == []
    assert ids(yaml_errors=True) == []
    assert len(ids(scope="branches")) == 2
    assert ids(scope="tags") == []
    assert ids(created_before="2001-01-01") == []
    assert ids(updated_after="2001-01-01T00:00:00Z") == everything
    assert ids(created_before=second["created_at"], created_after="2001-01-01") != []
    for wrong in ({"scope": "x"}, {"status": "x"}, {"order_by": "x"}, {"source": "x"}):
        assert owner.client.get(base, **wrong).status_code == 400
    page = owner.client.get(base, pagination="keyset", per_page=1, order_by="id")
    assert len(page.json()) == 1
    assert 'rel="next"' in page.headers["Link"]


def test_the_latest_pipeline_is_that_of_the_newest_commit(world: World, owner: Person, project: dict[str, Any]) -> None:
    base = f"/projects/{project['id']}"
    created = start(owner, project)
    assert owner.client.ok("GET", f"{base}/pipelines/latest")["id"] == created["id"]
    assert owner.client.get(f"{base}/pipelines/latest", ref="gone").status_code == 403
    world.commit(project, "main", {"b.txt": "b"}, message="No CI [ci skip]", user_id=owner.id)
    latest = owner.client.ok("GET", f"{base}/pipelines/latest")
    assert (latest["status"], latest["source"]) == ("skipped", "push")


def test_unknown_pipelines_and_jobs_are_not_found(owner: Person, project: dict[str, Any]) -> None:
    base = f"/projects/{project['id']}"
    for path in ("pipelines/999999", "jobs/999999", "pipelines/999999/jobs", "jobs/999999/trace"):
        answer = owner.client.get(f"{base}/{path}")
        assert (answer.status_code, answer.json()) == (404, {"message": "404 Not found"})
    assert owner.client.get(f"{base}/pipelines/abc").json() == {"error": "pipeline_id is invalid"}
    for wrong in ("x", {"hello": "pending"}, {"pending": "x"}):
        assert owner.client.get(f"{base}/jobs", scope=wrong).json() == {"error": "scope does not have a valid value"}


def test_deleting_a_pipeline_removes_its_jobs(world: World, owner: Person, project: dict[str, Any]) -> None:
    created = start(owner, project)
    job = jobs_of(owner, created)["compile"]
    ci.write_log(world, job["id"], "hello")

    assert owner.client.delete(f"/projects/{project['id']}/pipelines/{created['id']}").status_code == 204

    assert owner.client.get(f"/projects/{project['id']}/jobs/{job['id']}").status_code == 404
    assert owner.client.get(f"/projects/{project['id']}/pipelines/{created['id']}").status_code == 404


def test_logs_are_read_and_erased(world: World, owner: Person, project: dict[str, Any]) -> None:
    created = start(owner, project)
    job = jobs_of(owner, created)["compile"]
    url = f"/projects/{project['id']}/jobs/{job['id']}"
    assert owner.client.get(f"{url}/trace").text == ""
    too_early = owner.client.post(f"{url}/erase")
    assert too_early.json() == {"message": "403 Forbidden - Job is not erasable!"}
    ci.take(world, job["id"])
    ci.write_log(world, job["id"], "line one\nline two\n")
    ci.end(world, job["id"])

    log = owner.client.get(f"{url}/trace")

    assert log.text == "line one\nline two\n"
    assert log.headers["content-type"] == "text/plain"
    assert log.headers["content-disposition"] == f'infile; filename="{job["id"]}.log"'
    erased = owner.client.post(f"{url}/erase")
    assert (erased.status_code, erased.json()["erased_at"] is not None) == (201, True)
    assert owner.client.get(f"{url}/trace").text == ""
    assert owner.client.post(f"{url}/erase").status_code == 403


def test_variables_of_a_pipeline_are_kept(owner: Person, project: dict[str, Any]) -> None:
    created = start(
        owner, project, variables=[{"key": "A", "value": "1"}, {"key": "F", "value": "x", "variable_type": "file"}]
    )

    result = owner.client.ok("GET", f"/projects/{project['id']}/pipelines/{created['id']}/variables")

    assert result == [
        {"key": "A", "value": "1", "variable_type": "env_var", "raw": False},
        {"key": "F", "value": "x", "variable_type": "file", "raw": False},
    ]


def test_a_job_token_reads_its_own_job_only_while_it_runs(world: World, owner: Person, project: dict[str, Any]) -> None:
    created = start(owner, project)
    job = jobs_of(owner, created)["compile"]
    token = ci.take(world, job["id"])
    client = world.server.client(None)

    def own() -> Any:
        return client.get("/job", headers={"JOB-TOKEN": token})

    assert own().json()["id"] == job["id"]
    assert owner.client.get("/job").json() == {"message": "404 Job Not Found"}
    listed = client.get(f"/projects/{project['id']}/pipelines", headers={"JOB-TOKEN": token})
    assert listed.status_code == 200
    ci.end(world, job["id"])
    assert own().status_code == 401


def test_lists_cost_the_same_however_long_they_are(world: World, owner: Person, project: dict[str, Any]) -> None:
    base = f"/projects/{project['id']}"

    def costs() -> dict[str, int]:
        # Twice: the first call may look the token up again.
        answers = {path: [owner.client.get(f"{base}/{path}") for _ in range(2)] for path in ("jobs", "pipelines")}
        return {path: min(int(one.headers["X-Query-Count"]) for one in both) for path, both in answers.items()}

    start(owner, project)
    few = costs()
    for _ in range(3):
        start(owner, project)

    assert costs() == few
    assert few["jobs"] <= 7
    assert few["pipelines"] <= 4
