"""What an application asks with a client of Unleash."""

from typing import Any

import pytest

from ingot.features.ci.project_flags import instance_id
from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def project(world: World, owner: Person) -> dict[str, Any]:
    created = world.project(owner)
    path = f"/projects/{created['id']}"
    users = owner.client.ok(
        "POST", f"{path}/feature_flags_user_lists", json={"name": "testers", "user_xids": "ada,bob"}
    )
    flags: list[dict[str, Any]] = [
        {"name": "everywhere", "strategies": [{"name": "default", "parameters": {},
                                               "scopes": [{"environment_scope": "*"}]}]},
        {"name": "off", "description": "Not yet", "active": False,
         "strategies": [{"name": "default", "parameters": {}, "scopes": [{"environment_scope": "prod*"}]}]},
        {"name": "testers", "strategies": [
            {"name": "gitlabUserList", "parameters": {}, "user_list_id": users["id"],
             "scopes": [{"environment_scope": "production"}]},
            {"name": "userWithId", "parameters": {"userIds": "eve"}, "scopes": [{"environment_scope": "review/*"}]},
        ]},
        {"name": "nowhere"},
    ]  # fmt: skip
    for flag in flags:
        owner.client.ok("POST", f"{path}/feature_flags", json=flag)
    return created


def headers(world: World, project: dict[str, Any], environment: str | None = None) -> dict[str, str]:
    known = {"UNLEASH-INSTANCEID": instance_id(world.server.services, project["id"])}
    return known if environment is None else {**known, "UNLEASH-APPNAME": environment}


def test_flags_follow_the_environment(world: World, project: dict[str, Any]) -> None:
    base = f"/feature_flags/unleash/{project['id']}"

    def features(environment: str | None) -> dict[str, Any]:
        asked = headers(world, project, environment)
        answer = world.anonymous.ok("GET", f"{base}/client/features", headers=asked)
        assert answer["version"] == 1
        assert answer == world.anonymous.ok("GET", f"{base}/features", headers=asked)
        return {feature.pop("name"): feature for feature in answer["features"]}

    assert features(None) == {}
    everywhere = {"enabled": True, "strategies": [{"name": "default", "parameters": {}}]}
    assert features("staging") == {"everywhere": everywhere}
    assert features("production") == {
        "everywhere": everywhere,
        "off": {"description": "Not yet", "enabled": False, "strategies": [{"name": "default", "parameters": {}}]},
        "testers": {"enabled": True, "strategies": [{"name": "userWithId", "parameters": {"userIds": "ada,bob"}}]},
    }
    assert features("review/one")["testers"]["strategies"] == [{"name": "userWithId", "parameters": {"userIds": "eve"}}]
    for action in ("register", "metrics"):
        sent = world.anonymous.post(f"{base}/client/{action}", json={"appName": "x"}, headers=headers(world, project))
        assert (sent.status_code, sent.content) == (200, b"")


def test_only_the_own_instance_id_of_a_project_opens_its_flags(
    world: World, owner: Person, project: dict[str, Any]
) -> None:
    other = world.project(owner)
    path = f"/feature_flags/unleash/{project['id']}/client/features"
    for known in ({}, {"UNLEASH-INSTANCEID": "glffct-wrong"}, headers(world, other)):
        assert world.anonymous.get(path, headers=known).status_code == 401
    # A token of somebody who may see the flags does not count.
    assert owner.client.get(path).status_code == 401
    nowhere = headers(world, {"id": 10**9})
    assert world.anonymous.get(f"/feature_flags/unleash/{10**9}", headers=nowhere).status_code == 401
    owner.client.ok("PUT", f"/projects/{other['id']}", json={"repository_access_level": "disabled"})
    closed = world.anonymous.get(f"/feature_flags/unleash/{other['id']}/features", headers=headers(world, other))
    assert closed.status_code == 403
