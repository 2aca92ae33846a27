from typing import Any

import pytest

from tests.support.world import Person, World

NAMES = (
    "allow_author_approval",
    "allow_committer_approval",
    "allow_overrides_to_approver_list_per_merge_request",
    "retain_approvals_on_push",
    "selective_code_owner_removals",
    "require_password_to_approve",
    "require_reauthentication_to_approve",
)


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


def entry(value: bool, *, locked: bool = False, source: str | None = None) -> dict[str, Any]:
    return {"value": value, "locked": locked, "inherited_from": source}


def of_group(group: dict[str, Any]) -> str:
    return f"/groups/{group['id']}/merge_request_approval_setting"


def of_project(project: dict[str, Any]) -> str:
    return f"/projects/{project['id']}/merge_request_approval_setting"


def test_a_fresh_group_allows_authors_committers_and_overrides(world: World, owner: Person) -> None:
    shown = owner.client.ok("GET", of_group(world.group(owner)))

    assert tuple(shown) == NAMES
    values = (True, True, True, False, False, False, False)
    assert shown == {name: entry(value) for name, value in zip(NAMES, values, strict=True)}


def test_a_partial_change_leaves_the_rest(world: World, owner: Person) -> None:
    path = of_group(world.group(owner))

    shown = owner.client.ok("PUT", path, json={"allow_author_approval": False})

    values = (False, True, True, False, False, False, False)
    assert [shown[name]["value"] for name in NAMES] == list(values)
    assert owner.client.ok("GET", path) == shown


def test_a_group_restricts_its_projects_at_any_depth(world: World, owner: Person) -> None:
    group = world.group(owner)
    inner = world.group(owner, parent_id=group["id"])
    project = world.project(owner, namespace_id=inner["id"])
    owner.client.ok("PUT", of_group(group), json={"retain_approvals_on_push": False, "allow_committer_approval": True})

    shown = owner.client.ok("PUT", of_project(project), json={"retain_approvals_on_push": True})

    assert shown["retain_approvals_on_push"] == entry(False, locked=True, source="group")
    assert shown["allow_committer_approval"] == entry(True)
    owner.client.ok("PUT", of_group(group), json={"retain_approvals_on_push": True})
    assert owner.client.ok("GET", of_project(project))["retain_approvals_on_push"] == entry(True)


def test_a_group_demands_reauthentication(world: World, owner: Person) -> None:
    group = world.group(owner)
    project = world.project(owner, namespace_id=group["id"])

    shown = owner.client.ok("PUT", of_group(group), json={"require_reauthentication_to_approve": True})

    assert shown["require_reauthentication_to_approve"] == shown["require_password_to_approve"] == entry(True)
    inherited = owner.client.ok("GET", of_project(project))
    assert inherited["require_password_to_approve"] == entry(True, locked=True, source="group")


def test_the_instance_has_the_last_word(world: World, owner: Person) -> None:
    group = world.group(owner)
    project = world.project(owner, namespace_id=group["id"])
    world.admin.ok("PUT", "/application/settings", json={"prevent_merge_requests_author_approval": True})

    try:
        assert owner.client.ok("GET", of_group(group))["allow_author_approval"] == entry(
            False, locked=True, source="instance"
        )
        assert owner.client.ok("GET", of_project(project))["allow_author_approval"] == entry(
            False, locked=True, source="instance"
        )
    finally:
        world.admin.ok("PUT", "/application/settings", json={"prevent_merge_requests_author_approval": False})


def test_selective_removal_needs_removal_on_push(world: World, owner: Person) -> None:
    path = of_project(world.project(owner))
    assert owner.client.ok("PUT", path, json={"selective_code_owner_removals": True})[
        "selective_code_owner_removals"
    ] == entry(True)

    shown = owner.client.ok("PUT", path, json={"retain_approvals_on_push": True})

    assert shown["selective_code_owner_removals"] == entry(False)
    refused = owner.client.put(path, json={"selective_code_owner_removals": True})
    assert refused.status_code == 400
    assert "retain_approvals_on_push" in refused.json()["message"]
    assert owner.client.ok("GET", path) == shown


@pytest.mark.parametrize(
    ("sent", "error"),
    [
        ({"allow_author_approval": "maybe"}, "allow_author_approval is invalid"),
        ({"allow_author_approval": ""}, "allow_author_approval is empty"),
    ],
)
def test_bad_values_are_refused(world: World, owner: Person, sent: dict[str, Any], error: str) -> None:
    refused = owner.client.put(of_project(world.project(owner)), json=sent)

    assert (refused.status_code, refused.json()) == (400, {"error": error})


@pytest.mark.parametrize("sent", [{}, {"require_password_to_approve": True}])
def test_nothing_to_change_is_refused(world: World, owner: Person, sent: dict[str, Any]) -> None:
    refused = owner.client.put(of_project(world.project(owner)), json=sent)

    assert refused.status_code == 400
    assert refused.json() == {
        "error": "allow_author_approval, allow_committer_approval, allow_overrides_to_approver_list_per_merge_request,"
        " retain_approvals_on_push, selective_code_owner_removals, require_password_to_approve,"
        " require_reauthentication_to_approve are missing, at least one parameter must be provided"
    }


def test_only_the_right_roles_get_in(world: World, owner: Person) -> None:
    group = world.group(owner)
    inner = world.group(owner, parent_id=group["id"])
    project = world.project(owner, namespace_id=group["id"])
    developer, maintainer, stranger = world.user(), world.user(), world.user()
    world.member(project, developer, "developer")
    world.member(project, maintainer, "maintainer")

    assert world.anonymous.get(of_group(group)).status_code == 401
    assert stranger.client.get(of_group(group)).status_code == 404
    assert maintainer.client.get(of_group(group)).status_code == 403
    assert owner.client.get(of_group(inner)).status_code == 403
    assert world.admin.get(of_group(group)).status_code == 200
    assert world.anonymous.get(of_project(project)).status_code == 401
    assert stranger.client.get(of_project(project)).status_code == 404
    assert developer.client.put(of_project(project), json={}).status_code == 403
    assert maintainer.client.get(of_project(project)).status_code == 200
