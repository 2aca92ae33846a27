"""Protected branches of groups: they hold in the projects below, which show them and cannot change them."""

from typing import Any

import pytest

from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture
def group(world: World, owner: Person) -> dict[str, Any]:
    return world.group(owner)


def test_a_rule_of_a_group_holds_in_projects_below(world: World, owner: Person, group: dict[str, Any]) -> None:
    subgroup = owner.client.ok("POST", "/groups", json={"name": "sub", "path": "sub", "parent_id": group["id"]})
    project = world.project(owner, namespace_id=subgroup["id"], initialize_with_readme=True)
    developer, base = world.user(), f"/projects/{project['id']}"
    world.member(project, developer, "developer")
    commit = {"commit_message": "x", "actions": [{"action": "create", "file_path": "a", "content": "a"}]}
    developer.client.ok("POST", f"{base}/repository/branches", json={"branch": "stable-1", "ref": "main"})

    path = f"/groups/{group['id']}/protected_branches"
    created = owner.client.ok("POST", path, json={"name": "stable-*", "merge_access_level": 30})
    assert [one["access_level"] for one in created["push_access_levels"]] == [40]
    assert [one["access_level"] for one in created["merge_access_levels"]] == [30]
    assert [one["access_level"] for one in created["unprotect_access_levels"]] == [40]
    assert (created["allow_force_push"], created["code_owner_approval_required"]) == (False, False)
    assert created["inherited"] is False
    refused = developer.client.post(f"{base}/repository/commits", json={**commit, "branch": "stable-1"})
    assert refused.status_code in (400, 403)
    branch = developer.client.ok("GET", f"{base}/repository/branches/stable-1")
    assert (branch["protected"], branch["can_push"], branch["developers_can_merge"]) == (True, False, True)

    shown = owner.client.ok("GET", f"{base}/protected_branches")
    assert [(one["name"], one["inherited"]) for one in shown] == [("main", False), ("stable-*", True)]
    assert owner.client.ok("GET", f"{base}/protected_branches/stable-*") == {**created, "inherited": True}
    assert owner.client.delete(f"{base}/protected_branches/stable-*").status_code == 403
    changed = owner.client.patch(f"{base}/protected_branches/stable-*", json={"allow_force_push": True})
    assert changed.status_code == 403

    more = {"allowed_to_push": [{"access_level": 30}], "allow_force_push": True}
    assert owner.client.ok("PATCH", f"{path}/stable-*", json=more)["allow_force_push"] is True
    developer.client.ok("POST", f"{base}/repository/commits", json={**commit, "branch": "stable-1"})
    assert owner.client.delete(f"{path}/stable-*").status_code == 204
    assert owner.client.get(f"{path}/stable-*").json() == {"message": "404 Not found"}
    assert developer.client.ok("GET", f"{base}/repository/branches/stable-1")["protected"] is False


def test_owners_of_top_level_groups_change_them(world: World, owner: Person, group: dict[str, Any]) -> None:
    path, body = f"/groups/{group['id']}/protected_branches", {"name": "release"}
    maintainer = world.user()
    world.member(group, maintainer, "maintainer", kind="groups")
    owner.client.ok("POST", path, json=body)
    taken = owner.client.post(path, json=body)
    assert (taken.status_code, taken.json()) == (409, {"message": "Protected branch 'release' already exists"})
    assert [one["name"] for one in owner.client.ok("GET", f"{path}?search=LEA")] == ["release"]
    assert maintainer.client.post(path, json=body).status_code == 403
    assert world.user().client.get(path).status_code == 404
    assert world.anonymous.get(path).status_code == 401
    below = owner.client.ok("POST", "/groups", json={"name": "below", "path": "below", "parent_id": group["id"]})
    assert owner.client.get(f"/groups/{below['id']}/protected_branches").status_code == 404
