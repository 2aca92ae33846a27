"""Protected environments: their rules, whom they keep from deploying, and deployments that wait for approval."""

import base64
import json
from typing import Any

import gitlab
import pytest

from tests.features.ci.engine.flow import Flow
from tests.support.runner import project_runner
from tests.support.world import Person, World

CONFIG = """
release:
  script: ['true']
  environment: {name: production, on_stop: remove}
  id_tokens: {PROOF: {aud: vault}}
remove: {script: ['true'], when: manual, environment: {name: production, action: stop}}
"""
ELSEWHERE = "release: {script: ['true'], environment: {name: production, deployment_tier: development}}"
MAINTAINERS = [{"access_level": 40}]


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture
def flow(world: World, owner: Person) -> Flow:
    return Flow(world, owner, CONFIG)


@pytest.fixture
def developer(world: World, flow: Flow) -> Person:
    """Somebody who may run pipelines on the main branch, and no more."""
    person = world.user()
    world.member(flow.project, person, "developer")
    rules = {"allowed_to_merge": [{"access_level": 30}]}
    flow.owner.client.ok("PATCH", f"{flow.base}/protected_branches/main", json=rules)
    return person


def start(person: Person, flow: Flow) -> dict[str, dict[str, Any]]:
    return flow.jobs(int(person.client.ok("POST", f"{flow.base}/pipeline", json={"ref": "main"})["id"]))


def test_with_python_gitlab(world: World, owner: Person, flow: Flow) -> None:
    with gitlab.Gitlab(world.server.url, private_token=owner.token) as client:
        manager = client.projects.get(flow.project["id"]).protected_environments
        created = manager.create({"name": "review/a", "deploy_access_levels": MAINTAINERS})
        assert created.attributes | {"project_id": 0} == {
            "name": "review/a",
            "deploy_access_levels": [
                {
                    "id": created.deploy_access_levels[0]["id"],
                    "access_level": 40,
                    "access_level_description": "Maintainers",
                    "user_id": None,
                    "group_id": None,
                    "group_inheritance_type": 0,
                }
            ],
            "required_approval_count": 0,
            "approval_rules": [],
            "project_id": 0,
        }
        assert [one.name for one in manager.list()] == ["review/a"]
        assert manager.get("review/a").name == "review/a"
        manager.delete("review/a")
        with pytest.raises(gitlab.GitlabGetError, match="404 Not found"):
            manager.get("review/a")


def test_rules_are_added_changed_and_removed(world: World, owner: Person, flow: Flow) -> None:
    path, call = f"{flow.base}/protected_environments", owner.client.ok
    entries = [{"access_level": 30}, {"user_id": owner.id}]
    rules = [{"access_level": 40, "required_approvals": 2}]
    created = call("POST", path, json={"name": "live", "deploy_access_levels": entries, "approval_rules": rules})
    texts = [one["access_level_description"] for one in created["deploy_access_levels"]]
    assert texts == ["Developers + Maintainers", owner.client.ok("GET", "/user")["name"]]
    assert created["approval_rules"][0]["required_approvals"] == 2
    first, second = (one["id"] for one in created["deploy_access_levels"])

    changes = [{"id": first, "access_level": 40}, {"id": second, "_destroy": True}]
    changed = call("PUT", f"{path}/live", json={"deploy_access_levels": changes, "required_approval_count": 1})
    assert [one["access_level"] for one in changed["deploy_access_levels"]] == [40]
    assert changed["required_approval_count"] == 1
    gone = owner.client.put(f"{path}/live", json={"deploy_access_levels": [{"id": first, "_destroy": True}]})
    assert (gone.status_code, gone.json()) == (422, {"message": ["Deploy access levels can't be blank"]})
    audited = [one["details"] for one in call("GET", f"{flow.base}/audit_events")]
    assert any(details.get("target_details") == "live" for details in audited)


@pytest.mark.parametrize(
    ("body", "status", "answer"),
    [
        ({"name": "x"}, 400, {"error": "deploy_access_levels is missing"}),
        (
            {"name": "x", "deploy_access_levels": [{"access_level": 10}]},
            400,
            {"error": "deploy_access_levels[0][access_level] does not have a valid value"},
        ),
        (
            {"name": "x", "deploy_access_levels": [{"user_id": 1}]},
            422,
            {"message": ["Cannot add users or groups unless they have access to the project"]},
        ),
        (
            {"name": "x", "deploy_access_levels": MAINTAINERS * 101},
            422,
            {"message": ["Deploy access levels is too long (maximum is 100 entries)"]},
        ),
        ({"name": "taken", "deploy_access_levels": MAINTAINERS}, 409, None),
    ],
)
def test_what_cannot_be_protected(flow: Flow, body: dict[str, Any], status: int, answer: dict[str, Any] | None) -> None:
    path, client = f"{flow.base}/protected_environments", flow.owner.client
    client.ok("POST", path, json={"name": "taken", "deploy_access_levels": MAINTAINERS})
    refused = client.post(path, json=body)
    expected = answer or {"message": "Protected environment 'taken' already exists"}
    assert (refused.status_code, refused.json()) == (status, expected)


def test_only_those_who_are_named_deploy_stop_and_delete(world: World, flow: Flow, developer: Person) -> None:
    body = {"name": "production", "deploy_access_levels": MAINTAINERS}
    flow.owner.client.ok("POST", f"{flow.base}/protected_environments", json=body)

    refused = start(developer, flow)["release"]
    assert refused["status"] == "failed"
    shown = flow.owner.client.ok("GET", f"{flow.base}/jobs/{refused['id']}")
    assert shown["failure_reason"] == "protected_environment_failure"
    assert developer.client.post(f"{flow.base}/jobs/{refused['id']}/retry").status_code == 403
    external = {"environment": "production", "sha": flow.sha, "ref": "main", "tag": False, "status": "success"}
    assert developer.client.post(f"{flow.base}/deployments", json=external).status_code == 403
    place = flow.owner.client.ok("GET", f"{flow.base}/environments")[0]["id"]
    assert developer.client.post(f"{flow.base}/environments/{place}/stop").status_code == 403

    flow.owner.client.ok("POST", f"{flow.base}/jobs/{refused['id']}/retry")
    job = project_runner(world, flow.project).take()
    token = next(one["value"] for one in job.response["variables"] if one["key"] == "PROOF")
    assert claims(token)["environment_protected"] == "true"
    job.succeed()
    flow.owner.client.ok("POST", f"{flow.base}/environments/{place}/stop", json={"force": True})
    assert developer.client.delete(f"{flow.base}/environments/{place}").status_code == 403
    assert flow.owner.client.delete(f"{flow.base}/environments/{place}").status_code == 204


def claims(token: str) -> dict[str, Any]:
    part = token.split(".")[1]
    decoded: dict[str, Any] = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    return decoded


def test_a_deployment_waits_until_enough_people_approved(world: World, flow: Flow, developer: Person) -> None:
    approver = world.user()
    world.member(flow.project, approver, "reporter")
    secret = world.group(flow.owner, visibility="private")
    share = {"group_id": secret["id"], "group_access": 30}
    flow.owner.client.ok("POST", f"{flow.base}/share", json=share)
    body = {
        "name": "production",
        "deploy_access_levels": [{"access_level": 30}],
        "approval_rules": [
            {"user_id": approver.id},
            {"access_level": 40},
            {"group_id": secret["id"], "required_approvals": 0},
        ],
    }
    flow.owner.client.ok("POST", f"{flow.base}/protected_environments", json=body)
    job = start(developer, flow)["release"]
    assert job["status"] == "manual"
    (waiting,) = developer.client.ok("GET", f"{flow.base}/deployments")
    assert (waiting["status"], waiting["pending_approval_count"]) == ("blocked", 2)
    assert developer.client.post(f"{flow.base}/jobs/{job['id']}/play").status_code == 403

    path = f"{flow.base}/deployments/{waiting['id']}/approval"
    own = developer.client.post(path, json={"status": "approved"})
    assert (own.status_code, own.json()["message"][:40]) == (400, "You cannot approve your own deployment. ")
    vote = approver.client.ok("POST", path, json={"status": "approved", "comment": "Looks good"})
    assert (vote["user"]["id"], vote["status"], vote["comment"]) == (approver.id, "approved", "Looks good")
    wrong = flow.owner.client.post(path, json={"status": "approved", "represented_as": "Nobody"})
    assert wrong.status_code == 400
    flow.owner.client.ok("POST", path, json={"status": "approved", "represented_as": "Maintainers"})
    shown = developer.client.ok("GET", f"{flow.base}/deployments/{waiting['id']}")
    assert (shown["pending_approval_count"], len(shown["approvals"])) == (0, 2)
    rules = shown["approval_summary"]["rules"]
    assert [len(rule["deployment_approvals"]) for rule in rules] == [1, 1, 0]
    assert (rules[2]["group_id"], rules[2]["access_level_description"]) == (None, "Private group")

    developer.client.ok("POST", f"{flow.base}/jobs/{job['id']}/play")
    project_runner(world, flow.project).take().succeed()
    assert developer.client.ok("GET", f"{flow.base}/deployments/{waiting['id']}")["status"] == "success"
    late = flow.owner.client.post(path, json={"status": "approved"})
    assert (late.status_code, late.json()) == (400, {"message": "This deployment is not waiting for approvals."})


def test_a_rejection_ends_the_job(flow: Flow, developer: Person) -> None:
    body = {"name": "production", "deploy_access_levels": [{"access_level": 30}], "required_approval_count": 1}
    flow.owner.client.ok("POST", f"{flow.base}/protected_environments", json=body)
    job = start(developer, flow)["release"]
    (waiting,) = developer.client.ok("GET", f"{flow.base}/deployments")
    flow.owner.client.ok("POST", f"{flow.base}/deployments/{waiting['id']}/approval", json={"status": "rejected"})
    shown = developer.client.ok("GET", f"{flow.base}/jobs/{job['id']}")
    assert (shown["status"], shown["failure_reason"]) == ("failed", "deployment_rejected")
    assert developer.client.ok("GET", f"{flow.base}/deployments/{waiting['id']}")["status"] == "failed"


def test_a_group_protects_a_tier_of_all_projects_below(world: World, owner: Person) -> None:
    group = world.group(owner)
    project = world.project(owner, namespace_id=group["id"], initialize_with_readme=True)
    world.commit(project, "main", {".gitlab-ci.yml": CONFIG}, message="CI [skip ci]", user_id=owner.id)
    person, base = world.user(), f"/projects/{project['id']}"
    world.member(project, person, "maintainer")  # of the project, not of the group
    path = f"/groups/{group['id']}/protected_environments"
    body = {"name": "production", "deploy_access_levels": MAINTAINERS}
    owner.client.ok("POST", path, json=body)
    wrong = owner.client.post(path, json={**body, "name": "moon"})
    assert (wrong.status_code, wrong.json()["message"][0][:37]) == (422, "Name must be one of environment tiers")
    other = world.user()
    world.member(group, other, "maintainer", kind="groups")
    assert other.client.get(path).status_code == 403

    started = person.client.ok("POST", f"{base}/pipeline", json={"ref": "main"})
    jobs = {one["name"]: one["status"] for one in owner.client.ok("GET", f"{base}/pipelines/{started['id']}/jobs")}
    assert jobs["release"] == "failed"
    place = owner.client.ok("GET", f"{base}/environments")[0]["id"]
    assert person.client.put(f"{base}/environments/{place}", json={"tier": "other"}).status_code == 403
    world.commit(project, "way", {".gitlab-ci.yml": ELSEWHERE}, message="CI [skip ci]", user_id=person.id)
    started = person.client.ok("POST", f"{base}/pipeline", json={"ref": "way"})
    (job,) = owner.client.ok("GET", f"{base}/pipelines/{started['id']}/jobs")
    assert job["status"] == "failed"
    assert owner.client.ok("GET", f"{base}/environments/{place}")["tier"] == "production"
    assert owner.client.ok("GET", path)[0]["name"] == "production"
    owner.client.ok("PUT", f"{path}/production", json={"required_approval_count": 1})
    assert owner.client.delete(f"{path}/production").status_code == 204
    assert person.client.ok("POST", f"{base}/pipeline", json={"ref": "main"})["status"] != "failed"


def test_who_may_read_and_change_the_rules(world: World, flow: Flow, developer: Person) -> None:
    path = f"{flow.base}/protected_environments"
    body = {"name": "production", "deploy_access_levels": MAINTAINERS}
    assert developer.client.get(path).status_code == 403
    assert developer.client.post(path, json=body).status_code == 403
    assert world.user().client.get(path).status_code == 404
    assert world.anonymous.get(path).status_code == 401
