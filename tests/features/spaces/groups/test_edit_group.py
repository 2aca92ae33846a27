"""PUT /groups/:id: attributes, settings, and renames that move everything below."""

from typing import Any

import pytest

from tests.support import plain_http
from tests.support.world import World


def test_settings_are_stored_and_shown(world: World) -> None:
    anna = world.user()
    group = world.group(anna)
    body = {
        "name": "New Name (2)",
        "description": "What we do",
        "visibility": "public",
        "project_creation_level": "maintainer",
        "subgroup_creation_level": "owner",
        "request_access_enabled": False,
        "lfs_enabled": False,
        "emails_disabled": True,
        "default_branch": "trunk",
        "default_branch_protection": 3,
        "two_factor_grace_period": 12,
        "shared_runners_setting": "disabled_and_overridable",
        "membership_lock": True,
        "wiki_access_level": "private",
        "prevent_forking_outside_group": True,
    }

    anna.client.ok("PUT", f"/groups/{group['id']}", json=body)

    shown = anna.client.ok("GET", f"/groups/{group['id']}")
    for name, value in body.items():
        assert shown[name] == value, name
    assert shown["emails_enabled"] is False
    assert shown["default_branch_protection_defaults"]["allowed_to_merge"] == [{"access_level": 30}]
    assert shown["full_name"] == "New Name (2)"


def test_what_administrators_set_is_ignored_for_others(world: World) -> None:
    anna = world.user()
    group = world.group(anna)

    assert anna.client.ok("PUT", f"/groups/{group['id']}", json={"max_artifacts_size": 5})["max_artifacts_size"] is None
    assert world.admin.ok("PUT", f"/groups/{group['id']}", json={"max_artifacts_size": 5})["max_artifacts_size"] == 5


def test_a_new_path_moves_everything_below_and_old_addresses_redirect(world: World) -> None:
    anna = world.user()
    top = world.group(anna)
    inner = world.group(anna, path="inner", parent_id=top["id"])
    project = world.project(anna, path="tool", namespace_id=inner["id"])
    renamed = world.name("renamed")

    anna.client.ok("PUT", f"/groups/{top['id']}", json={"path": renamed, "name": "Renamed"})

    assert anna.client.ok("GET", f"/groups/{inner['id']}")["full_path"] == f"{renamed}/inner"
    assert anna.client.ok("GET", f"/groups/{inner['id']}")["full_name"] == "Renamed / inner"
    shown = anna.client.ok("GET", f"/projects/{project['id']}")
    assert shown["path_with_namespace"] == f"{renamed}/inner/tool"
    assert shown["name_with_namespace"] == "Renamed / inner / tool"
    old = anna.client.get(f"/projects/{top['path']}%2Finner%2Ftool")
    assert (old.status_code, old.headers["Location"].endswith(f"/projects/{project['id']}")) == (301, True)
    old_group = anna.client.get(f"/groups/{top['path']}%2Finner/members")
    assert old_group.status_code == 301
    assert old_group.headers["Location"].endswith(f"/groups/{inner['id']}/members")
    # A new group at the old path ends the redirect.
    taken = world.group(anna, path=top["path"])
    assert anna.client.ok("GET", f"/groups/{top['path']}")["id"] == taken["id"]


def test_only_the_name_of_the_case_can_change(world: World) -> None:
    anna = world.user()
    group = world.group(anna)

    shown = anna.client.ok("PUT", f"/groups/{group['id']}", json={"path": group["path"].upper()})

    assert shown["full_path"] == group["path"].upper()


BAD_NAME = (
    "can contain only letters, digits, emoji, '_', '.', dash, space, parenthesis."
    " It must start with letter, digit, emoji or '_'."
)
TOO_OPEN_INSIDE = [
    "private is not allowed since this group contains projects with higher visibility.",
    "private is not allowed since there are sub-groups with higher visibility.",
]


def problems(world: World) -> list[tuple[dict[str, Any], dict[str, list[str]]]]:
    taken = world.group()["path"]
    return [
        ({"path": taken}, {"path": ["has already been taken"]}),
        ({"path": "x"}, {"path": ["is too short (minimum is 2 characters)"]}),
        ({"path": "api"}, {"path": ["api is a reserved name"]}),
        ({"name": ""}, {"name": ["can't be blank"]}),
        ({"name": "-x"}, {"name": [BAD_NAME]}),
        ({"description": "x" * 501}, {"description": ["is too long (maximum is 500 characters)"]}),
        ({"visibility": "private"}, {"visibility_level": TOO_OPEN_INSIDE}),
    ]


def test_what_cannot_be_saved_is_named(world: World) -> None:
    anna = world.user()
    group = world.group(anna, visibility="public")
    world.group(anna, parent_id=group["id"], visibility="public")
    world.project(anna, namespace_id=group["id"], visibility="public")

    for body, expected in problems(world):
        answer = anna.client.put(f"/groups/{group['id']}", json=body)
        assert (answer.status_code, answer.json()) == (400, {"message": expected})


def test_a_subgroup_is_not_more_visible_than_its_parent(world: World) -> None:
    anna = world.user()
    parent = world.group(anna)
    child = world.group(anna, parent_id=parent["id"])

    answer = anna.client.put(f"/groups/{child['id']}", json={"visibility": "public"})

    assert answer.json() == {
        "message": {"visibility_level": ["public is not allowed since the parent group has a private visibility."]}
    }


@pytest.mark.parametrize("role", ["guest", "developer", "maintainer"])
def test_only_owners_edit(world: World, role: str) -> None:
    group, ben = world.group(world.user()), world.user()
    world.member(group, ben, role, kind="groups")

    answer = ben.client.put(f"/groups/{group['id']}", json={"name": "Mine"})

    assert (answer.status_code, answer.json()) == (403, {"message": "403 Forbidden"})
    assert world.anonymous.put(f"/groups/{group['id']}", json={"name": "Mine"}).status_code == 401


def test_the_share_lock_covers_what_lies_below(world: World) -> None:
    anna, ben = world.user(), world.user()
    top = world.group(anna)
    inner = world.group(anna, parent_id=top["id"])
    world.member(inner, ben, "owner", kind="groups")

    anna.client.ok("PUT", f"/groups/{top['id']}", json={"share_with_group_lock": True})

    assert ben.client.ok("GET", f"/groups/{inner['id']}")["share_with_group_lock"] is True
    assert world.group(anna, parent_id=top["id"])["share_with_group_lock"] is True
    answer = ben.client.put(f"/groups/{inner['id']}", json={"share_with_group_lock": False})
    assert answer.status_code == 400
    assert "share_with_group_lock" in answer.json()["message"]
    opened = anna.client.ok("PUT", f"/groups/{inner['id']}", json={"share_with_group_lock": False})
    assert opened["share_with_group_lock"] is False


def test_settings_are_checked_and_go_back_to_the_defaults(world: World) -> None:
    anna = world.user()
    place = f"/groups/{world.group(anna, default_branch='trunk', project_creation_level='noone')['id']}"

    shown = anna.client.ok("PUT", place, json={"default_branch": "", "project_creation_level": None})
    assert (shown["default_branch"], shown["project_creation_level"]) == (None, "developer")
    for body, text in (
        ({"two_factor_grace_period": -1}, "must be greater than or equal to 0"),
        ({"ip_restriction_ranges": "10.0.0.0/8,nowhere"}, "is an invalid IP address range"),
        ({"default_branch": "-x y"}, "is invalid"),
    ):
        answer = anna.client.put(place, json=body)
        assert (answer.status_code, answer.json()) == (400, {"message": {name: [text] for name in body}})


def test_forks_and_git_follow_the_settings_of_the_top_level_group(world: World) -> None:
    anna = world.user()
    top = world.group(anna, visibility="public")
    inner, outside = world.group(anna, parent_id=top["id"]), world.group(anna)
    project = world.project(anna, path="tool", namespace_id=inner["id"], initialize_with_readme=True)
    anna.client.ok(
        "PUT",
        f"/groups/{top['id']}",
        json={"prevent_forking_outside_group": True, "enabled_git_access_protocol": "ssh"},
    )

    refused = anna.client.post(f"/projects/{project['id']}/fork", json={"namespace_id": outside["id"]})
    assert (refused.status_code, refused.json()) == (404, {"message": "404 Target Namespace Not Found"})
    anna.client.ok("POST", f"/projects/{project['id']}/fork", json={"namespace_id": top["id"]})
    git = plain_http.get(f"{project['http_url_to_repo']}/info/refs?service=git-upload-pack", auth=("x", anna.token))
    assert (git.status_code, git.text) == (403, "Git access over HTTP is not allowed")
