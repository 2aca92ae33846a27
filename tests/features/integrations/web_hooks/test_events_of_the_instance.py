"""What hooks of the instance and of groups hear of people, groups, projects and members."""

from typing import Any

import pytest

from tests.support.client import Client
from tests.support.receiver import Receiver
from tests.support.world import World
from tests.web.browsing import Browser

KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + "A" * 42 + "B"


class Listening:
    """A hook of the instance or of a group, by a path of its own."""

    def __init__(self, world: World, receiver: Receiver, client: Client, hooks: str, *flags: str) -> None:
        self.world, self.receiver = world, receiver
        self.path = f"/{world.name('listening')}/"
        body = {"url": receiver.url + self.path, **dict.fromkeys(flags, True)}
        self.hook = client.ok("POST", hooks, json=body)

    def heard(self, **wanted: object) -> list[Any]:
        """The bodies with these values."""
        self.world.server.run_jobs()
        bodies = [one.body for one in self.receiver.received(self.path)]
        return [body for body in bodies if all(body.get(name) == value for name, value in wanted.items())]

    def words(self, **wanted: object) -> list[str]:
        return [body["event_name"] for body in self.heard(**wanted)]


@pytest.fixture(scope="module")
def instance(open_world: World, receiver: Receiver) -> Listening:
    return Listening(open_world, receiver, open_world.admin, "/hooks")


def test_people_and_their_keys_are_told_to_the_instance(open_world: World, instance: Listening) -> None:
    admin, world = open_world.admin, open_world
    person = world.user()
    key = person.client.ok("POST", "/user/keys", json={"title": "Laptop", "key": KEY})
    person.client.ok("DELETE", f"/user/keys/{key['id']}")
    admin.ok("PUT", f"/users/{person.id}", json={"username": f"{person.username}-new", "password": "a long sentence"})
    admin.ok("POST", f"/users/{person.id}/block")
    admin.ok("DELETE", f"/users/{person.id}")
    world.server.run_jobs()

    created, renamed, gone = instance.heard(user_id=person.id)

    assert [one["event_name"] for one in (created, renamed, gone)] == ["user_create", "user_rename", "user_destroy"]
    assert (created["username"], created["email"]) == (person.username, f"{person.username}@example.com")
    assert (renamed["username"], renamed["old_username"]) == (f"{person.username}-new", person.username)
    assert set(created) == {"event_name", "created_at", "updated_at", "name", "email", "username", "user_id"}
    assert created["created_at"].endswith("Z")
    keys = instance.heard(id=key["id"])
    assert [one["event_name"] for one in keys] == ["key_create", "key_destroy"]
    assert keys[0]["username"] == person.username
    assert {one["created_at"][:19] for one in keys} == {key["created_at"][:19]}
    assert keys[0]["key"].split()[:2] == KEY.split()[:2]


def test_groups_projects_and_members_are_told_to_the_instance_and_the_groups_above(
    open_world: World, receiver: Receiver, instance: Listening
) -> None:
    world, owner, guest = open_world, open_world.user(), open_world.user()
    client = owner.client
    group = world.group(owner, visibility="public")
    above = Listening(
        world, receiver, client, f"/groups/{group['id']}/hooks", "member_events", "subgroup_events", "project_events"
    )
    below = world.group(owner, parent_id=group["id"], visibility="public")
    other = world.group(owner, visibility="public")
    project = world.project(owner, namespace_id=below["id"], visibility="public")
    for place in (f"/projects/{project['id']}", f"/groups/{below['id']}"):
        guest.client.ok("POST", f"{place}/access_requests")
        client.ok("PUT", f"{place}/access_requests/{guest.id}/approve", json={"access_level": 20})
        client.ok("PUT", f"{place}/members/{guest.id}", json={"access_level": 30, "expires_at": "2090-01-31"})
    client.ok("DELETE", f"/groups/{below['id']}/members/{guest.id}")
    client.ok("PUT", f"/projects/{project['id']}", json={"description": "Anvils"})
    client.ok("PUT", f"/projects/{project['id']}", json={"path": f"{project['path']}-new"})
    client.ok("PUT", f"/projects/{project['id']}/transfer", json={"namespace": other["id"]})
    client.ok("PUT", f"/groups/{below['id']}", json={"path": f"{below['path']}-new"})
    inside = world.project(owner, namespace_id=below["id"])
    client.ok("DELETE", f"/groups/{below['id']}")
    # Where groups are kept for some days, the second call ends them.
    client.delete(f"/groups/{below['id']}", json={"permanently_remove": True, "full_path": f"{below['full_path']}-new"})

    # Messages about one record come in order; those about others may overtake them.
    of_project = instance.heard(project_id=project["id"])
    changes = [one for one in of_project if "user_id" not in one]
    roles = [one for one in of_project if "user_id" in one]
    assert [one["event_name"] for one in changes] == [
        "project_create", "project_update", "project_rename", "project_transfer",
    ]  # fmt: skip
    assert [one["event_name"] for one in roles] == [
        "user_access_request_to_project", "user_add_to_team", "user_update_for_team", "user_remove_from_team",
    ]  # fmt: skip
    created, moved = changes[0], changes[-1]
    shown = (created["path_with_namespace"], created["project_visibility"])
    assert shown == (project["path_with_namespace"], "public")
    assert (created["owner_name"], created["owner_email"]) == (below["name"], "")
    assert created["owners"] == [{"name": owner.username.title(), "email": f"{owner.username}@example.com"}]
    assert (roles[2]["access_level"], roles[2]["user_username"]) == ("Developer", guest.username)
    assert moved["old_path_with_namespace"] == f"{project['path_with_namespace']}-new"
    assert moved["path_with_namespace"] == f"{other['full_path']}/{project['path']}-new"
    assert instance.words(project_id=inside["id"]) == ["project_create", "project_destroy"]

    of_group = instance.heard(group_id=below["id"])
    changes = [one for one in of_group if "user_id" not in one]
    assert [one["event_name"] for one in changes] == ["group_create", "group_rename", "group_destroy"]
    assert (changes[1]["old_path"], changes[1]["old_full_path"]) == (below["path"], below["full_path"])
    roles = [one for one in of_group if one.get("user_id") == guest.id]
    words = [
        "user_access_request_to_group", "user_add_to_group", "user_update_for_group", "user_remove_from_group",
    ]  # fmt: skip
    assert [one["event_name"] for one in roles] == words
    assert roles[2]["expires_at"] == "2090-01-31T00:00:00Z"
    assert instance.words(group_id=below["id"], user_id=owner.id) == ["user_add_to_group"]

    assert above.words(user_id=guest.id) == words
    assert above.heard(user_id=guest.id)[0]["user_email"] == "[REDACTED]"
    subgroups = [one for one in above.heard(group_id=below["id"]) if "parent_group_id" in one]
    assert [one["event_name"] for one in subgroups] == ["subgroup_create", "subgroup_destroy"]
    assert subgroups[0]["parent_full_path"] == group["full_path"]
    assert above.words(project_id=inside["id"]) == ["project_create", "project_destroy"]
    [reported] = above.heard(project_id=project["id"])
    assert reported["owners"] == [{"name": owner.username.title(), "email": "[REDACTED]"}]
    assert "owner_email" not in reported


def test_a_blocked_person_at_the_door_is_told_to_the_instance(open_world: World, instance: Listening) -> None:
    person = open_world.user(password="correct horse battery", force_random_password=False)
    open_world.admin.ok("POST", f"/users/{person.id}/block")

    for password in ("wrong horse battery", "correct horse battery"):
        Browser(open_world.server).sign_in(person.username, password)

    _, refused = instance.heard(user_id=person.id)
    assert (refused["event_name"], refused["state"]) == ("user_failed_login", "blocked")
