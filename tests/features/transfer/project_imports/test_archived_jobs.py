"""Jobs in archives: their configuration goes out and comes back, and they can be run again where it is known."""

from typing import Any

import pytest

from ingot.features.ci.config import PlannedJob
from ingot.features.transfer.project_exports.ci_job_options import written_plan
from ingot.features.transfer.project_imports.ci_job_options import read_job
from tests.features.ci.config.compiling import plan
from tests.features.transfer.project_imports.making import MOMENT, archive, exported, imported, relation
from tests.support import ci
from tests.support.world import Person, World

EVERYTHING = """
stages: [build, deploy]
variables: {ROOT: "1", RAW: {value: "$X", expand: false}}
default:
  image: {name: "alpine:3", entrypoint: ["sh"], pull_policy: always, docker: {user: dev}}
compile:
  stage: build
  services:
    - {name: "postgres:16", alias: db, command: ["-c"], variables: {A: b, C: {value: $D, expand: false}}}
    - redis
  before_script: [one]
  script: [two, [three]]
  after_script: [four]
  variables: {OWN: x}
  tags: [linux, big]
  artifacts:
    name: out
    paths: [a, b]
    exclude: [c]
    untracked: true
    when: always
    expire_in: 3 days
    access: developer
    reports: {junit: r.xml, dotenv: d.env}
  cache:
    - {key: {files: [lock], prefix: p}, paths: [v], policy: pull, fallback_keys: [z]}
    - {key: fixed, paths: [w], when: always, unprotect: true}
  retry: {max: 2, when: [runner_system_failure], exit_codes: [3]}
  timeout: 1h 10m
  coverage: '/cov: (\\d+)\\//'
  interruptible: true
  resource_group: one-at-a-time
  hooks: {pre_get_sources_script: [early]}
  allow_failure: {exit_codes: [7, 8]}
  parallel: 2
  release: {tag_name: v1, description: first}
  pages: {publish: dist}
later:
  stage: deploy
  script: [go]
  when: delayed
  start_in: 10 minutes
  dependencies: []
review:
  stage: deploy
  script: [go]
  when: manual
  manual_confirmation: Really?
  environment: {name: "review/$CI_COMMIT_REF_SLUG", url: "https://$CI_ENVIRONMENT_SLUG.example", on_stop: stop,
                auto_stop_in: 2 days, deployment_tier: development}
  needs: [{job: later, artifacts: false, optional: true}]
stop:
  stage: deploy
  script: [halt]
  when: manual
  environment: {name: "review/$CI_COMMIT_REF_SLUG", action: stop}
  needs: []
child:
  stage: deploy
  trigger: {include: [{local: c.yml}], strategy: depend, forward: {pipeline_variables: true}}
other:
  stage: deploy
  trigger: {project: a/b, branch: main}
steps:
  stage: deploy
  run: [{name: s, script: echo}]
"""


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


def plans() -> list[PlannedJob]:
    return list(plan(EVERYTHING, predefined={"CI_COMMIT_REF_SLUG": "main"}).jobs)


@pytest.mark.parametrize("planned_job", plans(), ids=lambda planned_job: planned_job.name)
def test_a_plan_survives_the_way_through_an_archive(planned_job: PlannedJob) -> None:
    record = {"allow_failure": planned_job.allow_failure, "ref": "main", **written_plan(planned_job)}

    again = read_job(
        record,
        name=planned_job.name,
        stage=planned_job.stage,
        stage_index=planned_job.stage_index,
        kind=planned_job.kind,
    )

    assert again == planned_job


@pytest.mark.parametrize(
    "options",
    [
        None, {}, [], "x", {"image": "alpine"}, {"script": 7}, {"script": {"a": 1}}, {"script": ["a", 3]},
        {"script": ["a"], "cache": [[]]}, {"script": ["a"], "retry": {"max": 99}}, {"script": ["a"], "image": {"x": 1}},
        {"trigger": {"include": [{"artifact": "x"}]}}, {"script": ["a"], "cross_dependencies": [{"no": "job"}]},
    ],
)  # fmt: skip
def test_options_that_say_nothing_sound_make_no_plan(options: Any) -> None:
    assert read_job({"options": options}, name="a", stage="test", stage_index=0, kind="build") is None


def job(name: str, status: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "status": status, "ref": "main", "type": "Ci::Build", "created_at": MOMENT, **more}


def test_what_a_job_here_is_made_of_is_in_the_archive(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    world.commit(project, "main", {".gitlab-ci.yml": EVERYTHING}, message="CI [skip ci]", user_id=owner.id)
    pipeline = owner.client.ok("POST", f"/projects/{project['id']}/pipeline", json={"ref": "main"})

    content = exported(world, owner, project["id"])
    stages = relation(content, "ci_pipelines")[-1]["stages"]
    built = {one["name"]: one for stage in stages for one in (*stage["builds"], *stage["bridges"])}
    first = built["compile 1/2"]
    assert first["options"]["script"] == ["two", "three"]
    assert first["options"]["image"]["name"] == "alpine:3"
    assert first["options"]["parallel"] == {"total": 2}
    assert first["options"]["instance"] == 1
    assert {"key": "ROOT", "value": "1", "public": True} in first["yaml_variables"]
    assert first["coverage_regex"] == "cov: (\\d+)\\/"
    assert (first["environment"], built["review"]["environment"]) == (None, "review/$CI_COMMIT_REF_SLUG")
    assert built["review"]["options"]["environment"]["url"] == "https://$CI_ENVIRONMENT_SLUG.example"
    assert built["child"]["options"]["trigger"]["include"] == [{"local": "c.yml"}]

    record = imported(world, owner, content)
    again = relation(exported(world, owner, record["id"]), "ci_pipelines")[-1]["stages"]
    for one, other in zip(stages, again, strict=True):
        for kind in ("builds", "bridges"):
            for ours, theirs in zip(one[kind], other[kind], strict=True):
                differing = {key for key in ours if ours[key] != theirs[key]}
                # What had not ended is canceled, and the pipeline of a copy has another id.
                assert differing <= {"status", "commit_id"}, (ours["name"], differing)
    copy = owner.client.get(f"/projects/{record['id']}/pipelines").json()[0]
    assert copy["iid"] == pipeline["iid"]


def test_an_imported_job_whose_options_came_along_runs_again(world: World, owner: Person) -> None:
    script = {"script": ["make"], "image": "alpine:3", "environment": {"name": "live/$CI_COMMIT_REF_NAME"}}
    whole = job("whole", "failed", options=script, yaml_variables=[{"key": "A", "value": "b", "public": True}])
    bare = job("bare", "failed", options={})
    stage = {"name": "test", "position": 0, "status": "failed", "builds": [whole, bare]}
    pipeline = {"iid": 1, "ref": "main", "sha": "a" * 40, "status": "failed", "source": "push", "stages": [stage]}
    record = imported(world, owner, archive(ci_pipelines=[pipeline]))
    base = f"/projects/{record['id']}"
    result = {one["name"]: one for one in owner.client.get(f"{base}/jobs").json()}
    assert {name: one["archived"] for name, one in result.items()} == {"whole": False, "bare": True}

    refused = owner.client.post(f"{base}/jobs/{result['bare']['id']}/retry")
    assert (refused.status_code, refused.json()) == (403, {"message": "403 Forbidden - Job is not retryable"})
    again = owner.client.ok("POST", f"{base}/jobs/{result['whole']['id']}/retry")
    assert again["status"] == "pending"
    ci.run(world, again["id"])
    environments = owner.client.get(f"{base}/environments").json()
    assert [one["name"] for one in environments] == ["live/main"]

    # What is retried here goes out with the same options.
    builds = relation(exported(world, owner, record["id"]), "ci_pipelines")[0]["stages"][0]["builds"]
    options = {(one["name"], one["retried"]): one["options"] for one in builds}
    assert options["whole", True] == script
    assert options["whole", False]["script"] == ["make"]
    assert options["bare", False] is None


def test_retrying_an_imported_pipeline_leaves_what_cannot_run(world: World, owner: Person) -> None:
    stage = {
        "name": "test",
        "builds": [job("whole", "failed", options={"script": ["x"]}), job("a", "failed"), job("b", "skipped")],
    }
    pipeline = {"iid": 1, "ref": "main", "sha": "a" * 40, "status": "failed", "source": "push", "stages": [stage]}
    record = imported(world, owner, archive(ci_pipelines=[pipeline]))
    base = f"/projects/{record['id']}"
    created = owner.client.get(f"{base}/pipelines").json()[0]

    owner.client.ok("POST", f"{base}/pipelines/{created['id']}/retry")

    result = owner.client.get(f"{base}/pipelines/{created['id']}/jobs").json()
    assert {one["name"]: one["status"] for one in result} == {"whole": "pending", "a": "failed", "b": "skipped"}
