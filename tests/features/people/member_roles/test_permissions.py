"""What the permissions of custom roles open, and what they leave shut."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.client import Client
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.world import Person, World

GUEST, REPORTER, DEVELOPER, MAINTAINER = 10, 20, 30, 40


class Place:
    """A private group with a subgroup, a project and people with custom roles."""

    def __init__(self, world: World) -> None:
        self.world, self.owner = world, world.user()
        self.group = world.group(self.owner, visibility="private")
        self.below = world.group(self.owner, parent_id=self.group["id"], visibility="private")
        self.project = world.project(self.owner, namespace_id=self.below["id"], initialize_with_readme=True)

    def person(self, level: int, *permissions: str, where: str | None = None) -> Client:
        """Somebody whose custom role has these permissions, given in the top group unless told otherwise."""
        person = self.world.user()
        self.admit(person, level, *permissions, where=where)
        return person.client

    def admit(self, person: Person, level: int, *permissions: str, where: str | None = None) -> None:
        options = {"name": self.world.name("role"), "base_access_level": level, **dict.fromkeys(permissions, True)}
        role = self.owner.client.ok("POST", f"/groups/{self.group['id']}/member_roles", json=options)
        place = where or f"/groups/{self.group['id']}"
        body = {"user_id": person.id, "access_level": level, "member_role_id": role["id"]}
        self.owner.client.ok("POST", f"{place}/members", json=body)

    def at(self, rest: str) -> str:
        return f"/projects/{self.project['id']}{rest}"


@pytest.fixture
def place(world: World) -> Place:
    return Place(world)


def test_a_guest_with_read_code_reads_code_and_takes_none_of_it_away(place: Place) -> None:
    reader, guest = place.person(GUEST, "read_code"), place.person(GUEST)

    for path in ("tree", "files/README.md?ref=main", "commits", "branches", "tags"):
        assert reader.get(place.at(f"/repository/{path}")).status_code == 200
        assert guest.get(place.at(f"/repository/{path}")).status_code == 403
    assert reader.ok("GET", place.at(""))["default_branch"] == "main"
    assert reader.get(place.at("/repository/archive")).status_code == 403
    assert reader.get(place.at("/merge_requests")).status_code == 403
    change = {"branch": "main", "commit_message": "no", "content": "no"}
    assert reader.post(place.at("/repository/files/new"), json=change).status_code == 403


def test_a_role_given_in_a_project_counts_there_alone(place: Place) -> None:
    other = place.world.project(place.owner, namespace_id=place.below["id"], initialize_with_readme=True)
    person = place.world.user()
    place.admit(person, GUEST, "read_code", where=f"/projects/{place.project['id']}")
    place.owner.client.ok(
        "POST", f"/projects/{other['id']}/members", json={"user_id": person.id, "access_level": GUEST}
    )

    assert person.client.get(place.at("/repository/tree")).status_code == 200
    assert person.client.get(f"/projects/{other['id']}/repository/tree").status_code == 403


def test_a_role_that_ended_gives_nothing(place: Place) -> None:
    person = place.world.user()
    place.admit(person, GUEST, "read_code")
    place.owner.client.ok(
        "PUT", f"/groups/{place.group['id']}/members/{person.id}", json={"access_level": GUEST, "member_role_id": None}
    )

    assert person.client.get(place.at("/repository/tree")).status_code == 403


def test_projects_are_archived_and_removed_by_roles_that_may(place: Place) -> None:
    archivist, remover = place.person(DEVELOPER, "archive_project"), place.person(MAINTAINER, "remove_project")

    assert remover.post(place.at("/archive")).status_code == 403
    assert archivist.ok("POST", place.at("/archive"))["archived"] is True
    assert archivist.ok("POST", place.at("/unarchive"))["archived"] is False
    assert archivist.delete(place.at("")).status_code == 403
    assert remover.delete(place.at("")).status_code == 202
    assert remover.ok("POST", place.at("/restore"))["marked_for_deletion_on"] is None
    assert remover.put(place.at("/transfer"), json={"namespace": place.group["id"]}).status_code == 403


def test_groups_below_the_top_are_removed_by_roles_that_may(place: Place) -> None:
    remover = place.person(MAINTAINER, "remove_group")

    assert remover.delete(f"/groups/{place.group['id']}").status_code == 403
    assert remover.delete(f"/groups/{place.below['id']}").status_code == 202
    assert remover.post(f"/groups/{place.below['id']}/restore").status_code == 201
    assert remover.put(f"/groups/{place.below['id']}", json={"name": "no"}).status_code == 403


def test_variables_are_kept_by_roles_that_may(place: Place) -> None:
    keeper, guest = place.person(GUEST, "admin_cicd_variables"), place.person(GUEST)

    for path in (place.at("/variables"), f"/groups/{place.below['id']}/variables"):
        assert guest.get(path).status_code == 403
        assert keeper.post(path, json={"key": "A", "value": "1"}).status_code == 201
        assert [variable["key"] for variable in keeper.ok("GET", path)] == ["A"]
        assert keeper.put(f"{path}/A", json={"value": "2"}).status_code == 200
        assert keeper.delete(f"{path}/A").status_code == 204
    assert keeper.put(place.at(""), json={"description": "no"}).status_code == 403


def test_members_are_managed_up_to_the_base_role(place: Place) -> None:
    manager, newcomer = place.person(DEVELOPER, "admin_group_member"), place.world.user()
    path = f"/groups/{place.group['id']}/members"

    def add(level: int, **more: Any) -> int:
        return manager.post(path, json={"user_id": newcomer.id, "access_level": level, **more}).status_code

    assert add(MAINTAINER) == 403
    role = place.owner.client.ok(
        "POST", f"/groups/{place.group['id']}/member_roles", json={"base_access_level": GUEST, "remove_project": True}
    )
    assert add(GUEST, member_role_id=role["id"]) == 403
    assert add(REPORTER) == 201
    assert manager.put(f"{path}/{newcomer.id}", json={"access_level": MAINTAINER}).status_code == 403
    assert manager.put(f"{path}/{newcomer.id}", json={"access_level": DEVELOPER}).status_code == 200
    assert manager.delete(f"{path}/{place.owner.id}").status_code == 403
    assert manager.delete(f"{path}/{newcomer.id}").status_code == 204
    assert place.person(DEVELOPER).post(path, json={"user_id": newcomer.id, "access_level": GUEST}).status_code == 403


def test_merge_requests_are_approved_by_roles_that_may(place: Place) -> None:
    request = place.world.merge_request(place.project, place.owner)
    path = place.at(f"/merge_requests/{request['iid']}/approve")

    assert place.person(REPORTER).post(path).status_code == 403
    assert place.person(REPORTER, "admin_merge_request").post(path).status_code == 201


def test_merge_settings_are_changed_by_roles_that_may_and_nothing_else(place: Place) -> None:
    keeper, developer = place.person(DEVELOPER, "manage_merge_request_settings"), place.person(DEVELOPER)

    assert developer.put(place.at(""), json={"merge_method": "ff"}).status_code == 403
    assert (
        keeper.ok("PUT", place.at(""), json={"merge_method": "ff", "squash_option": "always"})["merge_method"] == "ff"
    )
    assert keeper.put(place.at(""), json={"merge_method": "merge", "name": "no"}).status_code == 403
    setting = place.at("/merge_request_approval_setting")
    assert developer.get(setting).status_code == 403
    assert keeper.put(setting, json={"allow_author_approval": True}).status_code == 200
    group_setting = f"/groups/{place.group['id']}/merge_request_approval_setting"
    assert keeper.put(group_setting, json={"allow_author_approval": True}).status_code == 200
    rule = keeper.post(place.at("/approval_rules"), json={"name": "two", "approvals_required": 2})
    assert rule.status_code == 201


def test_runners_are_seen_by_roles_that_may(place: Place) -> None:
    viewer, guest = place.person(GUEST, "read_runners"), place.person(GUEST)

    for path in (place.at("/runners"), f"/groups/{place.group['id']}/runners"):
        assert guest.get(path).status_code == 403
        assert viewer.get(path).status_code == 200
    assert viewer.post(place.at("/runners"), json={"runner_id": 1}).status_code == 403


@pytest.mark.parametrize("kind", ["project", "group"])
def test_access_tokens_are_managed_up_to_the_base_role(place: Place, kind: str) -> None:
    manager, developer = place.person(DEVELOPER, f"manage_{kind}_access_tokens"), place.person(DEVELOPER)
    path = place.at("/access_tokens") if kind == "project" else f"/groups/{place.below['id']}/access_tokens"
    body = {"name": "bot", "scopes": ["api"], "access_level": DEVELOPER}

    assert developer.get(path).status_code == 401
    assert developer.post(path, json=body).status_code in (400, 401, 403)
    assert manager.post(path, json=body | {"access_level": MAINTAINER}).status_code == 400
    token = manager.ok("POST", path, json=body)
    assert [entry["id"] for entry in manager.ok("GET", path)] == [token["id"]]
    assert manager.delete(f"{path}/{token['id']}").status_code == 204


def test_members_whose_role_is_enough_cost_no_look_at_custom_roles(place: Place) -> None:
    plain = place.world.user()
    place.world.member(place.group, plain, REPORTER, kind="groups")
    custom = place.world.user()
    place.admit(custom, REPORTER, "read_code")

    tree = place.at("/repository/tree")

    assert plain.client.queries(tree) == custom.client.queries(tree)


def test_custom_roles_sleep_while_the_tier_has_none(databases: Databases, tmp_path: Path) -> None:
    address, tree = databases.fresh(tmp_path), "/repository/tree"
    with RunningServer(address, tmp_path) as server:
        place, reader = Place(World(server)), World(server).user()
        place.admit(reader, GUEST, "read_code")
        assert reader.client.get(place.at(tree)).status_code == 200

    with RunningServer(address, tmp_path, tier="premium") as server:
        assert server.client(reader.token).get(place.at(tree)).status_code == 403
