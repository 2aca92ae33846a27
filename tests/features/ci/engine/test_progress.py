"""How pipelines move: needs, child pipelines, delays, resources, retries, pushes, limits."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select, update

from ingot.events import Pushed, RefChange
from ingot.features.ci.engine.commands.sweeping import sweep
from ingot.features.ci.engine.tables import ci_jobs, pipelines
from ingot.features.ci.job_outputs.retention import delete_old_pipelines
from ingot.kit.events import announce
from tests.features.ci.engine.flow import Flow
from tests.support import ci
from tests.support.waiting import until
from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


def test_needs_start_jobs_before_their_stage(world: World, owner: Person) -> None:
    flow = Flow(
        world,
        owner,
        """
a: {stage: build, script: x}
b: {stage: build, script: x}
early: {stage: test, script: x, needs: [a]}
at_once: {stage: test, script: x, needs: []}
late: {stage: test, script: x}
""",
    )
    created = flow.start()
    assert flow.statuses(created)["at_once"] == "pending"
    flow.run(created, "a")
    assert flow.statuses(created) == {
        "a": "success", "b": "pending", "early": "pending", "at_once": "pending", "late": "created",
    }  # fmt: skip
    flow.run(created, "b", "failed")
    assert flow.statuses(created)["late"] == "skipped"


def test_jobs_run_on_failure_and_always(world: World, owner: Person) -> None:
    flow = Flow(
        world,
        owner,
        """
stages: [one, two]
work: {stage: one, script: x}
rescue: {stage: two, script: x, when: on_failure}
tidy: {stage: two, script: x, when: always}
proud: {stage: two, script: x}
""",
    )
    created = flow.start()
    flow.run(created, "work", "failed")
    assert flow.statuses(created) == {"work": "failed", "rescue": "pending", "tidy": "pending", "proud": "skipped"}
    flow.run(created, "rescue")
    flow.run(created, "tidy")
    assert flow.status(created) == "failed"


def test_a_child_pipeline_decides_the_result_of_its_bridge(world: World, owner: Person) -> None:
    flow = Flow(
        world,
        owner,
        """
stages: [first, then]
child: {stage: first, trigger: {include: child.yml, strategy: depend}, variables: {FROM: parent}}
after: {stage: then, script: x}
""",
        child__yml="inner: {script: x}",
    )
    created = flow.start()
    assert flow.statuses(created) == {"after": "created"}
    world.run_jobs()
    (bridge,) = flow.bridges(created)
    child = bridge["downstream_pipeline"]
    assert (bridge["status"], child["source"], child["sha"]) == ("running", "parent_pipeline", flow.sha)
    assert child["id"] not in [one["id"] for one in flow.pipelines()]
    assert [one["id"] for one in flow.pipelines(source="parent_pipeline")] == [child["id"]]
    given = owner.client.get(f"{flow.base}/pipelines/{child['id']}/variables").json()
    assert [(one["key"], one["value"]) for one in given] == [("FROM", "parent")]

    flow.run(child["id"], "inner", "failed")
    world.run_jobs()
    assert flow.bridges(created)[0]["status"] == "failed"
    assert flow.status(created) == "failed"
    owner.client.ok("POST", f"{flow.base}/pipelines/{child['id']}/retry")
    world.run_jobs()
    assert flow.bridges(created)[0]["status"] == "running"
    flow.run(child["id"], "inner")
    world.run_jobs()
    assert flow.bridges(created)[0]["status"] == "success"
    assert flow.statuses(created) == {"after": "pending"}


def test_a_bridge_without_strategy_succeeds_at_once_and_a_bad_child_fails_it(world: World, owner: Person) -> None:
    flow = Flow(
        world,
        owner,
        """
good: {trigger: {include: child.yml}}
bad: {trigger: {include: broken.yml}}
other: {trigger: {project: no/where}}
""",
        child__yml="inner: {script: x}",
        broken__yml="inner: {stage: nowhere, script: x}",
    )
    created = flow.start()
    world.run_jobs()
    result = {one["name"]: (one["status"], one["failure_reason"]) for one in flow.bridges(created)}
    assert result == {
        "good": ("success", None),
        "bad": ("failed", "downstream_pipeline_creation_failed"),
        "other": ("failed", "downstream_bridge_project_not_found"),
    }


def test_trees_of_child_pipelines_end_somewhere(world: World, owner: Person) -> None:
    again = "again: {trigger: {include: again.yml, strategy: depend}}"
    flow = Flow(world, owner, again, again__yml=again)
    created = flow.start()
    for _ in range(6):
        world.run_jobs()
    children = flow.pipelines(source="parent_pipeline")
    assert len(children) == 2
    last = flow.bridges(max(one["id"] for one in children))[0]
    assert last["failure_reason"] == "reached_max_descendant_pipelines_depth"
    assert flow.status(created) == "failed"


def test_cancelling_a_parent_cancels_its_children(world: World, owner: Person) -> None:
    flow = Flow(world, owner, "c: {trigger: {include: child.yml, strategy: depend}}", child__yml="inner: {script: x}")
    created = flow.start()
    world.run_jobs()
    child = flow.bridges(created)[0]["downstream_pipeline"]["id"]
    owner.client.ok("POST", f"{flow.base}/pipelines/{created}/cancel")
    world.run_jobs()
    assert (flow.status(created), flow.status(child)) == ("canceled", "canceled")


def test_another_projects_pipeline_is_triggered(world: World, owner: Person) -> None:
    other = Flow(world, owner, "work: {script: x}")
    path = other.project["path_with_namespace"]
    flow = Flow(world, owner, f"go: {{trigger: {{project: {path}, branch: main, strategy: depend}}}}")
    created = flow.start()
    world.run_jobs()
    below = flow.bridges(created)[0]["downstream_pipeline"]
    assert (below["project_id"], below["source"]) == (other.project["id"], "pipeline")
    other.run(below["id"], "work")
    world.run_jobs()
    assert flow.status(created) == "success"


def test_delayed_jobs_wait_for_their_moment(world: World, owner: Person) -> None:
    flow = Flow(world, owner, "later: {script: x, when: delayed, start_in: 1 hour}\nnow: {script: x}")
    created = flow.start()
    assert flow.statuses(created)["later"] == "scheduled"
    flow.run(created, "now")
    assert flow.status(created) == "scheduled"
    job = flow.jobs(created)["later"]["id"]
    ci.set_columns(world, job, scheduled_at=datetime.now(UTC) - timedelta(minutes=2))
    sweep(world.server.services)  # that of the server may come first
    until(lambda: flow.statuses(created)["later"] == "pending")
    second = flow.start()
    played = owner.client.post(f"{flow.base}/jobs/{flow.jobs(second)['later']['id']}/play")
    assert played.json()["status"] == "pending"


def test_failed_jobs_are_retried_as_told_and_exit_codes_forgiven(world: World, owner: Person) -> None:
    flow = Flow(
        world,
        owner,
        """
flaky: {script: x, retry: {max: 1, when: runner_system_failure}}
lenient: {script: x, allow_failure: {exit_codes: [137]}}
""",
    )
    created = flow.start()
    first = flow.jobs(created)["flaky"]["id"]
    flow.run(created, "flaky", "failed", failure_reason="runner_system_failure")
    second = flow.jobs(created)["flaky"]
    assert (second["id"] != first, second["status"]) == (True, "pending")
    flow.run(created, "flaky", "failed", failure_reason="runner_system_failure")
    assert flow.statuses(created)["flaky"] == "failed"
    flow.run(created, "lenient", "failed", failure_reason="script_failure", exit_code=137)
    assert flow.jobs(created)["lenient"]["allow_failure"] is True


def test_a_new_commit_cancels_what_it_made_redundant(world: World, owner: Person) -> None:
    flow = Flow(world, owner, "soft: {script: x, interruptible: true}\nhard: {stage: deploy, script: x}")
    world.commit(flow.project, "topic", {"a": "1"}, user_id=owner.id)
    old = flow.pipelines(ref="topic")[0]["id"]
    ci.take(world, flow.jobs(old)["soft"]["id"])
    world.commit(flow.project, "topic", {"a": "2"}, user_id=owner.id)
    world.run_jobs()
    assert flow.status(old) == "canceled"
    newer = flow.pipelines(ref="topic")[0]["id"]
    flow.run(newer, "soft")
    ci.take(world, flow.jobs(newer)["hard"]["id"])
    world.commit(flow.project, "topic", {"a": "3"}, user_id=owner.id)
    world.run_jobs()
    assert flow.status(newer) == "running"


def test_pushes_make_pipelines(world: World, owner: Person) -> None:
    flow = Flow(world, owner, "j: {script: x}")
    head = world.commit(flow.project, "main", {"a": "1"}, user_id=owner.id)
    created = flow.pipelines()[0]
    assert (created["source"], created["sha"], created["status"]) == ("push", head, "pending")
    assert owner.client.ok("GET", f"{flow.base}/pipelines/{created['id']}")["before_sha"] == flow.sha
    world.push(flow.project, "refs/tags/v1", head, user_id=owner.id)
    tagged = flow.pipelines(scope="tags")[0]
    assert (tagged["ref"], owner.client.ok("GET", f"{flow.base}/pipelines/{tagged['id']}")["tag"]) == ("v1", True)
    world.commit(flow.project, "main", {".gitlab-ci.yml": "j: {stage: gone, script: x}"}, user_id=owner.id)
    broken = flow.pipelines(yaml_errors=True)[0]
    whole = owner.client.ok("GET", f"{flow.base}/pipelines/{broken['id']}")
    assert (whole["status"], "chosen stage does not exist" in whole["yaml_errors"]) == ("failed", True)


def test_push_options_skip_and_give_variables(world: World, owner: Person) -> None:
    flow = Flow(world, owner, "j: {script: x}")
    services = world.server.services
    change = RefChange("refs/heads/main", "0" * 40, flow.sha)
    announce(services, Pushed(flow.project["id"], owner.id, (change,), ("ci.skip",)))
    assert flow.pipelines()[0]["status"] == "skipped"
    announce(services, Pushed(flow.project["id"], owner.id, (change,), ("ci.variable=A=b=c",)))
    created = flow.pipelines()[0]["id"]
    given = owner.client.get(f"{flow.base}/pipelines/{created}/variables").json()
    assert [(one["key"], one["value"]) for one in given] == [("A", "b=c")]


def test_the_size_of_a_pipeline_is_limited(world: World, owner: Person) -> None:
    flow = Flow(world, owner, "a: {script: x}\nb: {script: x}")
    world.admin.ok("PUT", "/application/plan_limits", json={"plan_name": "default", "ci_pipeline_size": 1})
    try:
        refused = owner.client.post(f"{flow.base}/pipeline", json={"ref": "main"})
        sentence = "Pipeline size limit exceeded by 1 job!"
        assert (refused.status_code, refused.json()) == (400, {"message": {"base": [sentence]}})
        world.commit(flow.project, "main", {"a": "1"}, user_id=owner.id)
        assert (flow.pipelines()[0]["status"], flow.jobs(flow.pipelines()[0]["id"])) == ("failed", {})
    finally:
        world.admin.ok("PUT", "/application/plan_limits", json={"plan_name": "default", "ci_pipeline_size": 0})


def test_active_jobs_and_needs_are_limited(world: World, owner: Person) -> None:
    flow = Flow(world, owner, "a: {script: x}\nb: {script: x}\nc: {stage: deploy, script: x, needs: [a, b]}")
    limits = {"plan_name": "default", "ci_active_jobs": 4, "ci_needs_size_limit": 1}
    try:
        world.admin.ok("PUT", "/application/plan_limits", json=limits)
        refused = owner.client.post(f"{flow.base}/pipeline", json={"ref": "main"}).json()
        assert refused["message"]["base"][0].startswith("c: one job can only need 1 others, but you have listed 2.")
        world.admin.ok("PUT", "/application/plan_limits", json={**limits, "ci_needs_size_limit": 50})
        assert flow.status(flow.start()) == "pending"
        assert flow.status(flow.start()) == "failed"
    finally:
        back = {"plan_name": "default", "ci_active_jobs": 0, "ci_needs_size_limit": 50}
        world.admin.ok("PUT", "/application/plan_limits", json=back)


def test_jobs_that_nobody_finishes_end_by_themselves(world: World, owner: Person) -> None:
    flow = Flow(world, owner, "slow: {script: x, timeout: 10m}\nsilent: {script: x}\nforgotten: {script: x}")
    created = flow.start()
    jobs = flow.jobs(created)
    hour = datetime.now(UTC) - timedelta(hours=1, minutes=1)
    for name in ("slow", "silent"):
        ci.take(world, jobs[name]["id"])
    ci.set_columns(world, jobs["slow"]["id"], started_at=hour)
    ci.set_columns(world, jobs["silent"]["id"], contacted_at=hour)
    ci.set_columns(world, jobs["forgotten"]["id"], queued_at=datetime.now(UTC) - timedelta(days=1, minutes=1))

    sweep(world.server.services)

    reasons = {name: job["failure_reason"] for name, job in flow.jobs(created).items()}
    assert reasons == {
        "slow": "job_execution_timeout",
        "silent": "stuck_or_timeout_failure",
        "forgotten": "stuck_or_timeout_failure",
    }
    assert flow.status(created) == "failed"


def test_a_success_releases_the_artifacts_of_earlier_pipelines(world: World, owner: Person) -> None:
    flow = Flow(world, owner, "j: {script: x}")
    first, second = flow.start(), flow.start()
    for one in (first, second):
        flow.run(one, "j")
    with world.server.services.db.read() as conn:
        rows = conn.execute(
            select(pipelines.c.id, pipelines.c.is_locked).where(pipelines.c.project_id == flow.project["id"])
        )
        locked = {row.id: row.is_locked for row in rows}
    assert (locked[first], locked[second]) == (False, True)


def test_rules_see_changes_files_inputs_numbers_and_other_projects(world: World, owner: Person) -> None:
    shared = Flow(world, owner, "unused: {script: x}", shared__yml="from_elsewhere: {script: x}")
    path = shared.project["path_with_namespace"]
    flow = Flow(
        world,
        owner,
        f"""
spec: {{inputs: {{where: {{default: nowhere}}}}}}
---
include: [{{project: {path}, file: shared.yml}}]
docs: {{script: x, rules: [{{changes: ["docs/**/*"]}}]}}
code: {{script: x, rules: [{{changes: ["src/*"]}}]}}
readme: {{script: x, rules: [{{exists: [README.md]}}]}}
$[[ inputs.where ]]: {{script: x, environment: {{name: "review/$CI_PIPELINE_IID", action: prepare}}}}
""",
    )
    world.commit(flow.project, "main", {"docs/a.md": "a"}, user_id=owner.id)
    pushed = flow.pipelines()[0]
    assert set(flow.jobs(pushed["id"])) == {"docs", "readme", "nowhere", "from_elsewhere"}
    created = flow.start(inputs={"where": "somewhere"})
    assert "somewhere" in flow.jobs(created)
    ci.run(world, flow.jobs(created)["somewhere"]["id"])
    number = owner.client.ok("GET", f"{flow.base}/pipelines/{created}")["iid"]
    with world.server.services.db.read() as conn:
        plan = conn.execute(
            select(ci_jobs.c.plan).where(ci_jobs.c.id == flow.jobs(created)["somewhere"]["id"])
        ).scalar_one()
    assert plan["environment"]["name"] == f"review/{number}"


def test_old_pipelines_go_when_the_project_says_so(world: World, owner: Person) -> None:
    flow = Flow(world, owner, "j: {script: x}")
    old, young = flow.start(), flow.start()
    for one in (old, young):
        flow.run(one, "j")
    with world.server.services.db.write() as tx:
        long_ago = datetime.now(UTC) - timedelta(days=3)
        tx.execute(update(pipelines).where(pipelines.c.id == old).values(created_at=long_ago))
    assert delete_old_pipelines(world.server.services) == 0
    owner.client.ok("PUT", flow.base, json={"ci_delete_pipelines_in_seconds": 2 * 86400})

    assert delete_old_pipelines(world.server.services) == 1

    assert [one["id"] for one in flow.pipelines(source="api")] == [young]
