"""POST /groups and GET /groups/:id."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.support.world import World

LOOSE = "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-' or end in '.', '.git' or '.atom'."
STRICT = (
    "can only include non-accented letters, digits, '_', '-' and '.'."
    " It must not start with '-', end in '.', '.git', or '.atom'."
)
NAME = (
    "can contain only letters, digits, emoji, '_', '.', dash, space, parenthesis."
    " It must start with letter, digit, emoji or '_'."
)

KEYS = """id web_url name path description visibility share_with_group_lock require_two_factor_authentication
two_factor_grace_period project_creation_level auto_devops_enabled subgroup_creation_level emails_disabled
emails_enabled mentions_disabled lfs_enabled math_rendering_limits_enabled lock_math_rendering_limits_enabled
default_branch default_branch_protection default_branch_protection_defaults avatar_url request_access_enabled
full_name full_path created_at parent_id organization_id shared_runners_setting ldap_cn ldap_access
marked_for_deletion_on wiki_access_level shared_with_groups projects shared_projects shared_runners_minutes_limit
extra_shared_runners_minutes_limit prevent_forking_outside_group membership_lock ip_restriction_ranges"""


def test_the_creator_becomes_owner(world: World) -> None:
    anna = world.user()

    group = world.group(anna, name="Design Team", path="design-team")

    assert group["full_path"] == "design-team"
    assert group["visibility"] == "private"
    mine = anna.client.ok("GET", f"/groups/{group['id']}/members")
    assert [(member["id"], member["access_level"]) for member in mine] == [(anna.id, 50)]


def test_the_detail_has_every_key(world: World) -> None:
    anna, ben = world.user(), world.user()
    group = world.group(anna, visibility="public")

    shown = anna.client.ok("GET", f"/groups/{group['id']}")
    assert set(KEYS.split()) <= set(shown)
    owner_keys = {"runners_token", "enabled_git_access_protocol"}
    assert owner_keys | {"prevent_sharing_groups_outside_hierarchy"} <= set(shown)
    assert not owner_keys & set(ben.client.ok("GET", f"/groups/{group['id']}"))
    assert shown["default_branch_protection_defaults"] == {
        "allowed_to_push": [{"access_level": 40}],
        "allow_force_push": False,
        "allowed_to_merge": [{"access_level": 40}],
    }


def test_the_detail_shows_projects_that_the_caller_sees(world: World) -> None:
    anna = world.user()
    group = world.group(anna, visibility="public")
    other = world.group(anna, visibility="public")
    hidden = world.project(anna, namespace_id=group["id"])
    seen = world.project(anna, namespace_id=group["id"], visibility="public")

    mine = anna.client.ok("GET", f"/groups/{group['id']}")
    assert [project["id"] for project in mine["projects"]] == [seen["id"], hidden["id"]]
    public = world.anonymous.ok("GET", f"/groups/{group['id']}")
    assert [project["id"] for project in public["projects"]] == [seen["id"]]
    assert "merge_method" not in public["projects"][0]
    assert "projects" not in anna.client.ok("GET", f"/groups/{group['id']}?with_projects=false")
    assert anna.client.ok("GET", f"/groups/{other['id']}")["shared_projects"] == []


def test_a_subgroup_is_found_by_its_full_path(world: World) -> None:
    anna = world.user()
    group = world.group(anna)
    created = world.group(anna, path="inner", parent_id=group["id"])

    result = anna.client.ok("GET", f"/groups/{group['path'].upper()}%2Finner")

    assert result["id"] == created["id"]
    assert result["parent_id"] == group["id"]
    assert result["full_name"] == f"{group['name']} / inner"


def test_strangers_do_not_find_a_private_group(world: World) -> None:
    group = world.group(world.user())

    for client in (world.user().client, world.anonymous):
        answer = client.get(f"/groups/{group['id']}")
        assert (answer.status_code, answer.json()) == (404, {"message": "404 Group Not Found"})


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ({"name": "a", "path": "a--b"}, f'{{:path=>["{STRICT}"]}}'),
        ({"name": "a", "path": "-ab"}, f'{{:path=>["{LOOSE}", "{STRICT}"]}}'),
        ({"name": "a", "path": "ab.git"}, f'{{:path=>["{LOOSE}", "{STRICT}"]}}'),
        ({"name": "a", "path": "ä-b"}, f'{{:path=>["{LOOSE}", "{STRICT}"]}}'),
        ({"name": "a", "path": "x" * 256}, '{:path=>["is too long (maximum is 255 characters)"]}'),
        ({"name": "a", "path": "Dashboard"}, '{:path=>["Dashboard is a reserved name"]}'),
        ({"name": "a/b", "path": "slash"}, f'{{:name=>["{NAME}"]}}'),
        ({"name": " ", "path": ""}, '{:name=>["can\'t be blank"], :path=>["can\'t be blank"]}'),
    ],
)
def test_what_cannot_be_saved_is_named(world: World, body: dict[str, str], text: str) -> None:
    answer = world.admin.post("/groups", json=body)

    assert (answer.status_code, answer.json()) == (400, {"message": f"Failed to save group {text}"})


@pytest.mark.parametrize("name", ["Ünïcode", "日本語", "🚀 team", "_x", "9 lives (all)", "a\u2013b", "👩‍💻"])
def test_names_of_all_languages_are_welcome(world: World, name: str) -> None:
    assert world.group(name=name)["name"] == name


def test_missing_parameters_are_named(world: World) -> None:
    answer = world.admin.post("/groups", json={})

    assert (answer.status_code, answer.json()) == (400, {"error": "name is missing, path is missing"})
    assert world.admin.post("/groups", json={"name": None, "path": None}).status_code == 400
    assert world.anonymous.post("/groups", json={}).status_code == 401


def test_siblings_have_different_names(world: World) -> None:
    top = world.group()
    world.group(name="Twin", path="one", parent_id=top["id"])

    answer = world.admin.post("/groups", json={"name": "Twin", "path": "two", "parent_id": top["id"]})

    assert answer.json() == {"message": 'Failed to save group {:name=>["has already been taken"]}'}


def test_a_path_belongs_to_one_project_group_or_user(world: World) -> None:
    anna = world.user()
    top = world.group(anna)
    world.project(anna, path="thing", namespace_id=top["id"])
    taken = {"message": 'Failed to save group {:path=>["has already been taken"]}'}

    same_as_project = {"name": "Thing", "path": "THING", "parent_id": top["id"]}
    assert anna.client.post("/groups", json=same_as_project).json() == taken
    assert anna.client.post("/groups", json={"name": "Me", "path": anna.username}).json() == taken


def test_groups_nest_twenty_levels_deep(world: World) -> None:
    parent = world.group(path="level-0")
    for depth in range(1, 21):
        parent = world.group(path=f"l{depth}", parent_id=parent["id"])

    answer = world.admin.post("/groups", json={"name": "x", "path": "too-deep", "parent_id": parent["id"]})

    assert (answer.status_code, answer.json()) == (
        400,
        {"message": 'Failed to save group {:parent_id=>["has too deep level of nesting"]}'},
    )


def test_a_full_path_has_at_most_255_characters(world: World) -> None:
    top = world.group(path="x" * 200)

    answer = world.admin.post("/groups", json={"name": "y", "path": "y" * 60, "parent_id": top["id"]})

    assert answer.json() == {"message": 'Failed to save group {:path=>["is too long (maximum is 255 characters)"]}'}


def test_visibility_stays_within_the_parent(world: World) -> None:
    top = world.group(visibility="internal")

    answer = world.admin.post(
        "/groups", json={"name": "x", "path": "open", "parent_id": top["id"], "visibility": "public"}
    )

    assert answer.json() == {
        "message": "Failed to save group {:visibility_level=>"
        '["public is not allowed since the parent group has a internal visibility."]}'
    }


@pytest.mark.parametrize(
    ("role", "setting", "status"),
    [
        ("developer", "maintainer", 403),
        ("maintainer", "maintainer", 201),
        ("maintainer", "owner", 403),
        ("owner", "owner", 201),
    ],
)
def test_who_may_create_subgroups(world: World, role: str, setting: str, status: int) -> None:
    top, ben = world.group(subgroup_creation_level=setting), world.user()
    world.member(top, ben, role, kind="groups")

    answer = ben.client.post("/groups", json={"name": "x", "path": "sub", "parent_id": top["id"]})

    assert answer.status_code == status


def test_a_parent_that_cannot_be_seen_is_not_found(world: World) -> None:
    top, ben = world.group(), world.user()

    answer = ben.client.post("/groups", json={"name": "x", "path": "sub", "parent_id": top["id"]})

    assert (answer.status_code, answer.json()) == (404, {"message": "404 Group Not Found"})


def test_people_who_may_not_create_groups_are_refused(world: World) -> None:
    ben = world.user(can_create_group=False)

    answer = ben.client.post("/groups", json={"name": "x", "path": "not-for-ben"})

    assert (answer.status_code, answer.json()) == (403, {"message": "403 Forbidden"})


def test_the_same_path_at_once_is_created_once(world: World) -> None:
    people = [world.user() for _ in range(8)]

    def create(number: int) -> Any:
        return people[number].client.post("/groups", json={"name": "Race", "path": "the-race"})

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(create, range(8)))

    assert sorted(answer.status_code for answer in answers) == [201] + [400] * 7
    refused = {answer.text for answer in answers if answer.status_code == 400}
    assert refused == {'{"message":"Failed to save group {:path=>[\\"has already been taken\\"]}"}'}


def test_a_single_group_needs_few_queries(world: World) -> None:
    anna = world.user()
    group = world.group(anna)
    for _ in range(3):
        world.project(anna, namespace_id=group["id"])
    anna.client.get(f"/groups/{group['id']}")

    assert int(anna.client.get(f"/groups/{group['id']}").headers["X-Query-Count"]) <= 14
    assert int(anna.client.get(f"/groups/{group['id']}", with_projects=False).headers["X-Query-Count"]) <= 4
