"""Rules of protected branches."""

from typing import Any

import pytest

from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture
def project(world: World, owner: Person) -> dict[str, Any]:
    return world.project(owner, initialize_with_readme=True)


def rules(project: dict[str, Any]) -> str:
    return f"/projects/{project['id']}/protected_branches"


def levels(entries: list[dict[str, Any]]) -> list[Any]:
    return [(entry["access_level"], entry["user_id"], entry["group_id"]) for entry in entries]


def test_the_default_branch_is_protected_from_the_start(owner: Person, project: dict[str, Any]) -> None:
    result = owner.client.ok("GET", rules(project))

    assert [entry["name"] for entry in result] == ["main"]
    assert levels(result[0]["push_access_levels"]) == levels(result[0]["merge_access_levels"]) == [(40, None, None)]
    assert result[0]["allow_force_push"] is False
    assert result[0]["push_access_levels"][0]["access_level_description"] == "Maintainers"


def test_rules_name_roles_people_and_groups(world: World, owner: Person, project: dict[str, Any]) -> None:
    person, outsider = world.user(), world.user()
    world.member(project, person, "developer")
    group = world.group(owner)
    owner.client.ok("POST", f"/projects/{project['id']}/share", json={"group_id": group["id"], "group_access": 30})

    created = owner.client.ok(
        "POST",
        rules(project),
        json={
            "name": "release/*",
            "allowed_to_push": [{"user_id": person.id}, {"access_level": 40}],
            "allowed_to_merge": [{"group_id": group["id"]}],
            "unprotect_access_level": 40,
            "allow_force_push": True,
        },
    )

    assert levels(created["push_access_levels"]) == [(40, person.id, None), (40, None, None)]
    assert levels(created["merge_access_levels"]) == [(40, None, group["id"])]
    assert levels(created["unprotect_access_levels"]) == [(40, None, None)]
    assert created["allow_force_push"] is True
    action = [{"action": "create", "file_path": "x", "content": "x\n"}]
    body = {"branch": "release/1", "start_branch": "main", "commit_message": "x", "actions": action}
    assert person.client.post(f"/projects/{project['id']}/repository/commits", json=body).status_code == 201
    refused = owner.client.post(rules(project), json={"name": "y", "allowed_to_push": [{"user_id": outsider.id}]})
    assert refused.status_code == 422
    assert owner.client.get(f"{rules(project)}/y").status_code == 404
    again = owner.client.post(rules(project), json={"name": "release/*"})
    assert (again.status_code, again.json()) == (409, {"message": "Protected branch 'release/*' already exists"})


def test_rules_change_entry_by_entry(owner: Person, project: dict[str, Any]) -> None:
    created = owner.client.ok("POST", rules(project), json={"name": "a", "push_access_level": 30})
    entry = created["push_access_levels"][0]["id"]

    changed = owner.client.ok(
        "PATCH",
        f"{rules(project)}/a",
        json={
            "allow_force_push": True,
            "allowed_to_push": [{"id": entry, "_destroy": True}, {"access_level": 40}],
            "allowed_to_merge": [{"id": created["merge_access_levels"][0]["id"], "access_level": 0}],
        },
    )

    assert changed["allow_force_push"] is True
    assert levels(changed["push_access_levels"]) == [(40, None, None)]
    assert changed["merge_access_levels"][0]["access_level_description"] == "No one"
    bad = owner.client.post(rules(project), json={"name": "b", "push_access_level": 7})
    assert bad.json() == {"error": "push_access_level does not have a valid value"}
    assert owner.client.post(rules(project), json={}).json() == {"error": "name is missing, name is empty"}


def test_only_maintainers_rule(world: World, owner: Person, project: dict[str, Any]) -> None:
    developer, maintainer = world.user(), world.user()
    world.member(project, developer, "developer")
    world.member(project, maintainer, "maintainer")

    assert developer.client.get(rules(project)).status_code == 403
    assert world.anonymous.get(rules(project)).status_code == 401
    assert maintainer.client.ok("POST", rules(project), json={"name": "m"})["name"] == "m"
    owner.client.ok("POST", rules(project), json={"name": "locked", "allowed_to_unprotect": [{"user_id": owner.id}]})
    assert maintainer.client.delete(f"{rules(project)}/locked").status_code == 403
    assert owner.client.delete(f"{rules(project)}/locked").status_code == 204
    assert maintainer.client.delete(f"{rules(project)}/m").status_code == 204
    assert maintainer.client.delete(f"{rules(project)}/m").json() == {"message": "404 Not found"}
    assert maintainer.client.get(rules(project), search="MAI").json()[0]["name"] == "main"
