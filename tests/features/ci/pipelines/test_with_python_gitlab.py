"""A real client drives pipelines, jobs, schedules, triggers, variables and environments."""

import gitlab
import pytest
from gitlab.exceptions import GitlabCreateError, GitlabGetError

from tests.support import ci
from tests.support.world import World

CONFIG = """
stages: [build, test]
build: {stage: build, script: make}
test: {stage: test, script: make test}
ask: {stage: test, script: x, when: manual}
child: {stage: build, trigger: {include: child.yml}}
"""


@pytest.fixture(scope="module")
def gl(world: World) -> gitlab.Gitlab:
    return gitlab.Gitlab(world.server.url, private_token=world.admin.token)


def test_a_client_uses_ci(world: World, gl: gitlab.Gitlab) -> None:
    created = world.project(initialize_with_readme=True)
    files = {".gitlab-ci.yml": CONFIG, "child.yml": "inner: {script: x}"}
    sha = world.commit(created, "main", files, message="CI [skip ci]")
    project = gl.projects.get(created["id"])

    pipeline = project.pipelines.create({"ref": "main", "variables": [{"key": "A", "value": "1"}]})
    assert pipeline.variables.list()[0].key == "A"
    jobs = {job.name: job for job in pipeline.jobs.list(get_all=True)}
    assert set(jobs) == {"build", "test", "ask"}
    ci.write_log(world, jobs["build"].id, "hello")
    ci.run(world, jobs["build"].id)
    world.run_jobs()
    assert project.jobs.get(jobs["build"].id).trace() == b"hello"
    assert [bridge.downstream_pipeline["source"] for bridge in pipeline.bridges.list()] == ["parent_pipeline"]
    ci.run(world, jobs["test"].id, "failed")
    pipeline.refresh()
    assert pipeline.status == "failed"
    pipeline.retry()
    again = {job.name: job for job in pipeline.jobs.list(get_all=True)}["test"]
    project.jobs.get(again.id).cancel()
    project.jobs.get(again.id).retry()
    project.jobs.get(jobs["ask"].id).play()
    pipeline.cancel()
    pipeline.refresh()
    assert pipeline.status == "canceled"
    assert project.pipelines.latest(ref="main").id == pipeline.id
    assert pipeline.test_report.get().total_count == 0
    assert pipeline.test_report_summary.get().total["count"] == 0
    project.jobs.get(jobs["build"].id).erase()

    commit = project.commits.get(sha)
    commit.statuses.create({"state": "success", "name": "outside"})
    assert "outside" in [status.name for status in commit.statuses.list(get_all=True)]
    pipeline.delete()
    with pytest.raises(GitlabGetError):
        project.pipelines.get(pipeline.id)


def test_a_client_uses_what_surrounds_ci(world: World, gl: gitlab.Gitlab) -> None:
    created = world.project(initialize_with_readme=True)
    world.commit(created, "main", {".gitlab-ci.yml": "j: {script: x}"}, message="CI [skip ci]")
    project = gl.projects.get(created["id"])

    schedule = project.pipelineschedules.create({"ref": "main", "description": "Daily", "cron": "0 1 * * *"})
    schedule.variables.create({"key": "A", "value": "1"})
    schedule.description = "Weekly"
    schedule.save()
    schedule_id = schedule.id
    schedule.play()  # the client takes the answer's message for the schedule
    schedule = project.pipelineschedules.get(schedule_id)
    assert (schedule.description, schedule.attributes["variables"][0]["key"]) == ("Weekly", "A")
    assert len(schedule.pipelines.list()) == 1
    schedule.take_ownership()
    schedule.delete()

    trigger = project.triggers.create({"description": "t"})
    assert project.trigger_pipeline("main", trigger.token, variables={"X": "y"}).source == "trigger"
    trigger.delete()

    variable = project.variables.create({"key": "K", "value": "v"})
    variable.value = "w"
    variable.save()
    assert project.variables.get("K").value == "w"
    with pytest.raises(GitlabCreateError):
        project.variables.create({"key": "K", "value": "v"})
    variable.delete()
    group = gl.groups.get(world.group()["id"])
    group.variables.create({"key": "G", "value": "v"}).delete()
    gl.variables.create({"key": "I", "value": "v"}).delete()

    environment = project.environments.create({"name": "production"})
    environment.external_url = "https://example.com"
    environment.save()
    head = project.branches.get("main").commit["id"]
    deployment = project.deployments.create(
        {"environment": "production", "sha": head, "ref": "main", "tag": False, "status": "running"}
    )
    deployment.status = "success"
    deployment.save()
    assert [one.id for one in project.deployments.list(environment="production")] == [deployment.id]
    environment.stop()
    environment.delete()

    assert project.ci_lint.get().valid
    assert not project.ci_lint.create({"content": "a: {stage: gone, script: x}"}).valid
    assert project.resource_groups.list() == []
