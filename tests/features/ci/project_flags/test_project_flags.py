"""Feature flags and user lists: from creation to removal, who may what, and what is refused."""

from typing import Any

import gitlab
import pytest

from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def project(world: World, owner: Person) -> dict[str, Any]:
    return world.project(owner)


def test_a_flag_from_creation_to_removal(world: World, owner: Person) -> None:
    project = world.project(owner)
    path, call = f"/projects/{project['id']}/feature_flags", owner.client.ok
    rollout = {"name": "gradualRolloutUserId", "parameters": {"groupId": "default", "percentage": "50"}}
    created = call(
        "POST",
        path,
        json={"name": "new_door", "description": "A door", "strategies": [
            {**rollout, "scopes": [{"environment_scope": "production"}, {"environment_scope": "review/*"}]},
        ]},
    )  # fmt: skip
    (strategy,) = created["strategies"]
    scopes = [{"id": one["id"], "environment_scope": one["environment_scope"]} for one in strategy["scopes"]]
    assert created == {
        "name": "new_door",
        "description": "A door",
        "active": True,
        "version": "new_version_flag",
        "created_at": created["created_at"],
        "updated_at": created["updated_at"],
        "scopes": [],
        "strategies": [{"id": strategy["id"], **rollout, "scopes": scopes, "user_list": None}],
    }
    assert [one["environment_scope"] for one in scopes] == ["production", "review/*"]
    call("POST", path, json={"name": "another", "active": False})
    assert [flag["name"] for flag in call("GET", path)] == ["another", "new_door"]
    assert [flag["name"] for flag in call("GET", path, params={"scope": "disabled"})] == ["another"]

    changed = call("PUT", f"{path}/new_door", json={
        "name": "old_door", "active": False, "strategies": [
            {"id": strategy["id"], "scopes": [{"id": scopes[0]["id"], "_destroy": True}]},
            {"name": "default", "parameters": {}, "scopes": [{"environment_scope": "*"}]},
        ],
    })  # fmt: skip
    assert (changed["name"], changed["active"], changed["description"]) == ("old_door", False, "A door")
    first, second = changed["strategies"]
    assert (first["parameters"], first["scopes"]) == (rollout["parameters"], scopes[1:])
    assert second["name"] == "default"
    call("PUT", f"{path}/old_door", json={"strategies": [{"id": strategy["id"], "_destroy": True}]})
    removed = owner.client.delete(f"{path}/old_door")
    assert (removed.status_code, [one["id"] for one in removed.json()["strategies"]]) == (200, [second["id"]])
    assert owner.client.get(f"{path}/old_door").json() == {"message": "404 Not found"}
    kinds = {event["event_name"] for event in call("GET", f"/projects/{project['id']}/audit_events")}
    assert {"feature_flag_created", "feature_flag_updated", "feature_flag_deleted"} <= kinds


def strategy(name: str, **parameters: object) -> dict[str, object]:
    return {"strategies": [{"name": name, "parameters": parameters}]}


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({"name": "taken"}, ["Name has already been taken"]),
        ({"name": "Bad"}, None),
        ({"name": "bad-"}, None),
        ({"name": "x"}, ["Name is too short (minimum is 2 characters)"]),
        ({"name": "x" * 64}, ["Name is too long (maximum is 63 characters)"]),
        ({"version": "legacy_flag"}, "Version is invalid"),
        (strategy("nobody"), ["Strategies name strategy name is invalid"]),
        (strategy("default", extra="x"), ["Strategies parameters parameters are invalid"]),
        (
            strategy("gradualRolloutUserId", groupId="default", percentage="101"),
            ["Strategies parameters percentage must be a string between 0 and 100 inclusive"],
        ),
        (
            strategy("flexibleRollout", groupId="default", rollout="5", stickiness="glue"),
            ["Strategies parameters stickiness parameter must be default, userId, sessionId, or random"],
        ),
        (strategy("gitlabUserList"), ["Strategies user list can't be blank"]),
    ],
)
def test_what_is_no_flag_is_refused(
    world: World, owner: Person, project: dict[str, Any], body: dict[str, Any], sentence: object
) -> None:
    path = f"/projects/{project['id']}/feature_flags"
    owner.client.post(path, json={"name": "taken"})
    refused = owner.client.post(path, json={"name": world.name("flag"), **body})
    text = (
        "Name can contain only lowercase letters, digits, '_' and '-'. Must start with a letter, and cannot end with"
        " '-' or '_'"
    )
    assert (refused.status_code, refused.json()) == (400, {"message": sentence or [text]})


def test_user_lists_and_the_strategies_that_name_them(world: World, owner: Person) -> None:
    project, elsewhere = world.project(owner), world.project(owner)
    with gitlab.Gitlab(world.server.url, private_token=owner.token) as client:
        place = client.projects.get(project["id"])
        created = place.feature_flags_user_lists.create({"name": "testers", "user_xids": "ada,42"})
        assert (created.iid, created.user_xids, created.project_id) == (1, "ada,42", project["id"])
        assert created.path == f"/{project['path_with_namespace']}/-/feature_flags_user_lists/1"
        created.user_xids = "ada,43"
        created.save()
        assert [one.name for one in place.feature_flags_user_lists.list(search="test")] == ["testers"]
        flag = place.feature_flags.create(
            {"name": "for_testers", "strategies": [{"name": "gitlabUserList", "user_list_id": created.id}]}
        )
        assert flag.strategies[0]["user_list"] == {"id": created.id, "iid": 1, "name": "testers", "user_xids": "ada,43"}
        path = f"/projects/{project['id']}/feature_flags_user_lists"
        again = owner.client.post(path, json={"name": "testers", "user_xids": "x"})
        assert (again.status_code, again.json()) == (400, {"message": ["Name has already been taken"]})
        nothing = owner.client.post(path, json={})
        assert (nothing.status_code, nothing.json()) == (400, {"message": "name is missing, user_xids is missing"})
        used = owner.client.delete(f"{path}/1")
        assert (used.status_code, used.json()) == (409, {"message": ["User list is associated with a strategy"]})
        foreign = {"name": "far", "strategies": [{"name": "gitlabUserList", "user_list_id": created.id}]}
        refused = owner.client.post(f"/projects/{elsewhere['id']}/feature_flags", json=foreign)
        assert refused.json() == {"message": ["Strategies user list must belong to the same project"]}
        flag.delete()
        place.feature_flags_user_lists.delete(1)
        assert owner.client.get(f"{path}/1").json() == {"message": "404 Not found"}


def test_developers_and_above_only(world: World, owner: Person, project: dict[str, Any]) -> None:
    reporter, developer, outsider = world.user(), world.user(), world.user()
    world.member(project, reporter, "reporter")
    world.member(project, developer, "developer")
    path = f"/projects/{project['id']}/feature_flags"
    assert reporter.client.get(path).status_code == 403
    assert developer.client.ok("POST", path, json={"name": "by_developer"})["name"] == "by_developer"
    assert outsider.client.get(path).status_code == 404
    assert world.anonymous.get(path).status_code == 401
    owner.client.ok("PUT", f"/projects/{project['id']}", json={"feature_flags_access_level": "disabled"})
    assert owner.client.get(path).status_code == 403
    owner.client.ok("PUT", f"/projects/{project['id']}", json={"feature_flags_access_level": "enabled"})
