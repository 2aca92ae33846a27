"""Ways around the protection of environments and branches that do not ask for the right itself."""

from typing import Any

import pytest

from tests.features.ci.engine.flow import Flow
from tests.support.runner import project_runner
from tests.support.world import Person, World

pytestmark = pytest.mark.costly

CONFIG = """
stages: [test, deploy]
test: {stage: test, script: ['true']}
release: {stage: deploy, script: ['true'], environment: {name: production, on_stop: remove}}
remove: {stage: deploy, script: ['true'], when: manual, environment: {name: production, action: stop}}
"""
MAINTAINERS = [{"access_level": 40}]


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


def test_neither_the_configuration_nor_an_edit_moves_an_environment_out_of_its_tier(
    world: World, owner: Person
) -> None:
    group, person = world.group(owner), world.user()
    project = world.project(owner, namespace_id=group["id"], initialize_with_readme=True)
    base = f"/projects/{project['id']}"
    world.member(project, person, "maintainer")  # of the project, not of the group
    place = owner.client.ok("POST", f"{base}/environments", json={"name": "live", "tier": "production"})
    rule = {"name": "production", "deploy_access_levels": MAINTAINERS}
    owner.client.ok("POST", f"/groups/{group['id']}/protected_environments", json=rule)
    config = "release: {script: ['true'], environment: {name: live, deployment_tier: other}}"
    world.commit(project, "main", {".gitlab-ci.yml": config}, message="CI [skip ci]", user_id=person.id)

    for _ in range(2):
        started = person.client.ok("POST", f"{base}/pipeline", json={"ref": "main"})
        assert person.client.ok("GET", f"{base}/pipelines/{started['id']}")["status"] == "failed"
    changed = person.client.put(f"{base}/environments/{place['id']}", json={"tier": "other"})

    assert changed.status_code == 403
    assert owner.client.ok("GET", f"{base}/environments/{place['id']}")["tier"] == "production"
    owner.client.ok("POST", f"{base}/pipeline", json={"ref": "main"})
    project_runner(world, project).take().succeed()
    assert owner.client.ok("GET", f"{base}/environments/{place['id']}")["tier"] == "other"


def test_nobody_deploys_or_stops_with_the_rights_of_who_started_the_pipeline(world: World, owner: Person) -> None:
    flow, developer = Flow(world, owner, CONFIG), world.user()
    world.member(flow.project, developer, "developer")
    rules = {"allowed_to_merge": [{"access_level": 30}]}
    owner.client.ok("PATCH", f"{flow.base}/protected_branches/main", json=rules)
    rule = {"name": "production", "deploy_access_levels": MAINTAINERS}
    owner.client.ok("POST", f"{flow.base}/protected_environments", json=rule)
    pipeline = flow.start()
    flow.run(pipeline, "test", "failed")
    assert flow.statuses(pipeline)["release"] == "skipped"

    again = developer.client.ok("POST", f"{flow.base}/jobs/{flow.jobs(pipeline)['test']['id']}/retry")
    flow.run(pipeline, "test")

    assert again["user"]["id"] == developer.id
    release = flow.jobs(pipeline)["release"]
    assert (release["status"], release["user"]["id"]) == ("failed", developer.id)
    assert release["failure_reason"] == "protected_environment_failure"


def test_deleting_its_branch_does_not_stop_a_protected_environment(world: World, owner: Person) -> None:
    flow, developer = Flow(world, owner, CONFIG), world.user()
    world.member(flow.project, developer, "developer")
    owner.client.ok("POST", f"{flow.base}/repository/branches", json={"branch": "side", "ref": "main"})
    pipeline = flow.start(ref="side")
    flow.run(pipeline, "test")
    flow.run(pipeline, "release")
    rule = {"name": "production", "deploy_access_levels": MAINTAINERS}
    owner.client.ok("POST", f"{flow.base}/protected_environments", json=rule)

    assert developer.client.delete(f"{flow.base}/repository/branches/side").status_code == 204
    world.run_jobs()

    (place,) = owner.client.ok("GET", f"{flow.base}/environments")
    assert place["state"] == "available"
    assert flow.statuses(pipeline)["remove"] == "manual"


def test_no_environment_is_named_like_a_protected_one_but_for_what_nobody_sees(world: World, owner: Person) -> None:
    flow = Flow(world, owner, "release: {script: ['true'], environment: $PLACE}")
    place = f"{flow.base}/deployments"
    body = {"sha": flow.sha, "ref": "main", "tag": False, "status": "running"}
    names = ("production\t", "production\n", "production\u200b", "\u0440roduction", "production/", "p" * 256)

    for name in names:
        pipeline = flow.start(variables=[{"key": "PLACE", "value": name}])
        (job,) = flow.jobs(pipeline).values()
        recorded = owner.client.post(place, json={**body, "environment": name})

        assert (job["status"], job["failure_reason"]) == ("failed", "environment_creation_failure")
        assert (recorded.status_code, list(recorded.json()["message"])) == (400, ["name"])
        assert owner.client.post(f"{flow.base}/environments", json={"name": name}).status_code == 400
    assert owner.client.ok("GET", f"{flow.base}/environments") == []
    assert flow.status(flow.start(variables=[{"key": "PLACE", "value": "production"}])) == "pending"


def test_spaces_that_nobody_sees_take_no_protection_away(world: World, owner: Person) -> None:
    flow, developer = Flow(world, owner, CONFIG), world.user()
    world.member(flow.project, developer, "developer")
    rule = {"name": "the production", "deploy_access_levels": MAINTAINERS}
    owner.client.ok("POST", f"{flow.base}/protected_environments", json=rule)
    body = {"sha": flow.sha, "ref": "main", "tag": False, "status": "running"}

    for name, status in (("the production ", 403), (" the  production", 403), ("production", 201)):
        answer = developer.client.post(f"{flow.base}/deployments", json={**body, "environment": name})
        assert answer.status_code == status, name


def test_an_approver_of_the_project_is_none_of_the_group(world: World, owner: Person) -> None:
    group, maintainer, approver = world.group(owner), world.user(), world.user()
    project = world.project(owner, namespace_id=group["id"], initialize_with_readme=True)
    base = f"/projects/{project['id']}"
    world.member(project, maintainer, "maintainer")
    world.member(project, approver, "developer")
    rule = {"name": "production", "deploy_access_levels": MAINTAINERS, "required_approval_count": 1}
    owner.client.ok("POST", f"/groups/{group['id']}/protected_environments", json=rule)
    own = {"deploy_access_levels": MAINTAINERS, "approval_rules": [{"user_id": approver.id}]}
    world.commit(project, "main", {".gitlab-ci.yml": CONFIG}, message="CI [skip ci]", user_id=owner.id)
    maintainer.client.ok("POST", f"{base}/protected_environments", json={"name": "production", **own})
    owner.client.ok("POST", f"{base}/pipeline", json={"ref": "main"})
    project_runner(world, project).take().succeed()
    (waiting,) = owner.client.ok("GET", f"{base}/deployments")
    assert waiting["status"] == "blocked"

    vote = approver.client.post(f"{base}/deployments/{waiting['id']}/approval", json={"status": "approved"})

    assert (vote.status_code, vote.json()["message"][:30]) == (400, "You don't have permission to a")


def test_a_rule_that_only_some_may_remove_is_not_loosened_by_others(world: World, owner: Person) -> None:
    group, maintainer = world.group(owner), world.user()
    project = world.project(owner, namespace_id=group["id"], initialize_with_readme=True)
    world.member(project, maintainer, "maintainer")
    base = f"/projects/{project['id']}"
    path = f"{base}/protected_branches"
    # The group's rule of the same name is older, and says nothing of the project's.
    owner.client.ok("POST", f"/groups/{group['id']}/protected_branches", json={"name": "main"})
    owner.client.ok("DELETE", f"{path}/main")
    owner.client.ok("POST", path, json={"name": "main", "allowed_to_unprotect": [{"user_id": owner.id}]})

    loosened: list[tuple[str, str, dict[str, Any]]] = [
        ("PATCH", f"{path}/main", {"allowed_to_unprotect": [{"access_level": 40}]}),
        ("PATCH", f"{path}/main", {"allow_force_push": True}),
        ("PUT", f"{base}/repository/branches/main/protect", {"developers_can_push": True}),
        ("PUT", f"{base}/repository/branches/main/unprotect", {}),
        ("DELETE", f"{path}/main", {}),
    ]

    for method, address, body in loosened:
        assert maintainer.client.request(method, address, json=body).status_code == 403, (method, address)
    assert owner.client.ok("PATCH", f"{path}/main", json={"allow_force_push": True})["allow_force_push"] is True
