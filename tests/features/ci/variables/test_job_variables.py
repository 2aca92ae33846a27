"""The variables that a job's runner gets."""

from tests.support.runner import project_runner
from tests.support.world import World

CONFIG = """
variables: {FROM_FILE: file, WHO: file}
deploy:
  script: x
  when: manual
  variables: {OWN: job}
  environment: {name: production, url: https://$CI_ENVIRONMENT_SLUG.$WHO.example.com}
"""


def test_layers_lie_on_each_other_in_the_documented_order(world: World) -> None:
    owner = world.user()
    project = world.project(owner, initialize_with_readme=True)
    base = f"/projects/{project['id']}"
    world.commit(project, "main", {".gitlab-ci.yml": CONFIG}, message="Ship it\n\nNow. [skip ci]", user_id=owner.id)
    for key, value, scope in (("WHO", "project", "*"), ("PLACE", "here", "production"), ("OTHER", "x", "staging")):
        owner.client.ok("POST", f"{base}/variables", json={"key": key, "value": value, "environment_scope": scope})
    pipeline = owner.client.ok(
        "POST", f"{base}/pipeline", json={"ref": "main", "variables": [{"key": "GIVEN", "value": "api"}]}
    )
    job = owner.client.get(f"{base}/pipelines/{pipeline['id']}/jobs").json()[0]
    played = {"job_variables_attributes": [{"key": "BY_HAND", "value": "yes"}]}
    owner.client.ok("POST", f"{base}/jobs/{job['id']}/play", json=played)
    taken = project_runner(world, project).take()

    result = taken.response["variables"]

    values = {one["key"]: one["value"] for one in result}
    assert len(values) == len(result)
    assert (values["WHO"], values["FROM_FILE"], values["OWN"]) == ("project", "file", "job")
    assert (values["GIVEN"], values["BY_HAND"], values["PLACE"]) == ("api", "yes", "here")
    assert "OTHER" not in values
    assert (values["CI_JOB_ID"], values["CI_PIPELINE_ID"]) == (str(job["id"]), str(pipeline["id"]))
    assert (values["CI_COMMIT_TITLE"], values["CI_COMMIT_BRANCH"]) == ("Ship it", "main")
    assert (values["CI_ENVIRONMENT_NAME"], values["CI_JOB_MANUAL"]) == ("production", "true")
    assert values["CI_ENVIRONMENT_TIER"] == "production"
    assert values["GITLAB_USER_LOGIN"] == owner.username
    place = world.server.url.removeprefix("http://")
    assert values["CI_REPOSITORY_URL"] == (
        f"http://gitlab-ci-token:{taken.token}@{place}/{project['path_with_namespace']}.git"
    )
    secret = {one["key"] for one in result if not one["public"]}
    assert {"CI_JOB_TOKEN", "WHO", "GIVEN", "BY_HAND", "CI_REPOSITORY_URL"} <= secret


def test_jobs_learn_what_started_them(world: World) -> None:
    owner = world.user()
    project = world.project(owner, initialize_with_readme=True)
    base = f"/projects/{project['id']}"
    head = world.commit(project, "main", {".gitlab-ci.yml": "j: {script: x}"}, message="x [skip ci]", user_id=owner.id)
    runner = project_runner(world, project)
    schedule = {"description": "Every night", "ref": "main", "cron": "0 1 * * *"}
    created = owner.client.ok("POST", f"{base}/pipeline_schedules", json=schedule)
    owner.client.ok("POST", f"{base}/pipeline_schedules/{created['id']}/play")
    assert runner.take().variable("CI_PIPELINE_SCHEDULE_DESCRIPTION") == "Every night"
    trigger = owner.client.ok("POST", f"{base}/triggers", json={"description": "t"})
    world.anonymous.post(f"{base}/trigger/pipeline", data={"token": trigger["token"], "ref": "main"})
    fired = runner.take()
    assert fired.variable("CI_TRIGGER_SHORT_TOKEN") == trigger["token"].removeprefix("glptt-")[:4]
    assert fired.variable("CI_PIPELINE_TRIGGERED") == "true"
    tag = {"tag_name": "v1", "ref": head, "message": "First"}
    owner.client.ok("POST", f"{base}/repository/tags", json=tag)
    owner.client.ok("POST", f"{base}/pipeline", json={"ref": "v1"})
    tagged = runner.take()
    assert (tagged.variable("CI_COMMIT_TAG"), tagged.variable("CI_COMMIT_TAG_MESSAGE")) == ("v1", "First")
