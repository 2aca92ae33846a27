"""Audit events: which changes are recorded, with whom and from where, and who may read them."""

from collections.abc import Iterator
from typing import Any

import gitlab
import pytest

from tests.support.client import Client
from tests.support.server import RunningServer
from tests.support.world import Person, World
from tests.web.browsing import Browser

PASSWORD = "correct horse battery staple"


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user(password=PASSWORD, force_random_password=False)


@pytest.fixture(scope="module")
def group(world: World, owner: Person) -> dict[str, Any]:
    return world.group(owner)


@pytest.fixture(scope="module")
def project(world: World, owner: Person, group: dict[str, Any]) -> dict[str, Any]:
    return world.project(owner, namespace_id=group["id"])


@pytest.fixture(scope="module")
def developer(world: World, group: dict[str, Any]) -> Person:
    person = world.user()
    world.member(group, person, "developer", "groups")
    return person


def new_events(client: Client, path: str, after: int, **filters: str | int) -> Iterator[dict[str, Any]]:
    """What was recorded since the event with this number, oldest first."""
    return reversed(
        [event for event in client.ok("GET", path, params={"per_page": 100, **filters}) if event["id"] > after]
    )


def newest(world: World) -> int:
    events = world.admin.ok("GET", "/audit_events?per_page=1")
    return int(events[0]["id"]) if events else 0


def test_a_role_from_beginning_to_end_with_who_changed_it_and_from_where(
    world: World, owner: Person, project: dict[str, Any]
) -> None:
    path, person, start = f"/projects/{project['id']}", world.user(name="Nora Quist"), newest(world)
    call = owner.client.ok
    call("POST", f"{path}/members", json={"user_id": person.id, "access_level": 20})
    call("PUT", f"{path}/members/{person.id}", json={"access_level": 30})
    call("PUT", f"{path}/members/{person.id}", json={"access_level": 30})  # changes nothing
    call("DELETE", f"{path}/members/{person.id}")

    added, changed, removed = new_events(owner.client, f"{path}/audit_events", start)
    common = {
        "author_name": owner.username.title(),
        "author_class": "User",
        "target_id": person.id,
        "target_type": "User",
        "target_details": "Nora Quist",
        "ip_address": "127.0.0.1",
        "entity_path": project["path_with_namespace"],
    }
    assert added["details"] == {"add": "user_access", "as": "Reporter", **common}
    assert changed["details"] == {"change": "access_level", "from": "Reporter", "to": "Developer", **common}
    assert removed["details"] == {"remove": "user_access", **common}
    assert [event["event_name"] for event in (added, changed, removed)] == [
        "member_created",
        "member_updated",
        "member_destroyed",
    ]
    assert {(event["author_id"], event["entity_type"], event["entity_id"]) for event in (added, changed)} == {
        (owner.id, "Project", project["id"])
    }
    assert call("GET", f"{path}/audit_events/{added['id']}") == added
    assert world.admin.ok("GET", f"/audit_events/{added['id']}") == added


def test_settings_of_a_project_and_what_opens_it(world: World, owner: Person, project: dict[str, Any]) -> None:
    path, start, call = f"/projects/{project['id']}", newest(world), owner.client.ok
    call("PUT", path, json={"issues_access_level": "private", "only_allow_merge_if_pipeline_succeeds": True})
    call("POST", f"{path}/protected_branches", json={"name": "stable"})
    call("PATCH", f"{path}/protected_branches/stable", json={"allow_force_push": True})
    call("DELETE", f"{path}/protected_branches/stable")
    hook = call("POST", f"{path}/hooks", json={"url": "http://hooks.example.com/secret?token=x", "push_events": False})
    call("DELETE", f"{path}/hooks/{hook['id']}")
    token = call("POST", f"{path}/access_tokens", json={"name": "robot", "scopes": ["api"], "access_level": 30})
    call("DELETE", f"{path}/access_tokens/{token['id']}")
    call("POST", f"{path}/deploy_tokens", json={"name": "puller", "scopes": ["read_repository"]})
    call("POST", f"{path}/variables", json={"key": "PASS", "value": "hush-hush-hush"})
    call("PUT", f"{path}/variables/PASS", json={"value": "another-secret"})

    events = list(new_events(owner.client, f"{path}/audit_events", start))
    assert [event["event_name"] for event in events] == [
        "project_issues_access_level_updated",
        "project_only_allow_merge_if_pipeline_succeeds_updated",
        "protected_branch_created",
        "protected_branch_updated",
        "protected_branch_removed",
        "webhook_created",
        "webhook_destroyed",
        "member_created",
        "project_access_token_created",
        "project_access_token_deleted",
        "deploy_token_created",
        "ci_variable_created",
        "ci_variable_updated",
    ]
    said = [event["details"] for event in events]
    assert (said[0]["from"], said[0]["to"]) == ("enabled", "private")
    assert (said[2]["add"], said[2]["push_access_levels"]) == ("protected_branch", ["Maintainer"])
    assert (said[3]["change"], said[3]["from"], said[3]["to"]) == ("allow_force_push", False, True)
    assert (said[5]["target_type"], said[5]["target_details"]) == ("ProjectHook", "hooks.example.com")
    assert (said[8]["target_details"], said[8]["scopes"]) == ("robot", ["api"])
    assert (said[12]["change"], "from" in said[12]) == ("value", False)
    assert not any(word in str(said) for word in ("hush", "another-secret", "token=x"))


def test_groups_people_and_the_instance(world: World, owner: Person, group: dict[str, Any]) -> None:
    person, invited, start = world.user(), world.group(owner), newest(world)
    admin = world.admin.ok
    owner.client.ok("PUT", f"/groups/{group['id']}", json={"project_creation_level": "maintainer"})
    share = {"group_id": invited["id"], "group_access": 30}
    owner.client.ok("POST", f"/groups/{group['id']}/share", json=share)
    of_group = list(new_events(owner.client, f"/groups/{group['id']}/audit_events", start))
    assert [event["event_name"] for event in of_group] == [
        "group_project_creation_level_updated",
        "group_share_with_group_link_created",
    ]
    assert (of_group[1]["details"]["as"], of_group[1]["details"]["target_id"]) == ("Developer", invited["id"])

    admin("POST", f"/users/{person.id}/block")
    admin("POST", f"/users/{person.id}/unblock")
    admin("PUT", f"/users/{person.id}", json={"admin": True, "password": "another good one 77"})
    admin("DELETE", f"/users/{person.id}")
    of_user = list(new_events(world.admin, "/audit_events", start, entity_type="User", entity_id=person.id))
    assert [(event["event_name"], event["author_id"]) for event in of_user] == [
        ("user_blocked", 1),
        ("user_unblocked", 1),
        ("user_admin_status_updated", 1),
        ("user_password_updated", 1),
        ("user_destroyed", 1),
    ]
    assert of_user[0]["details"]["custom_message"] == "Blocked user"
    assert "from" not in of_user[3]["details"]

    admin("PUT", "/application/settings", json={"default_projects_limit": 77})
    admin("PUT", "/application/settings", json={"default_projects_limit": None})
    kind = "Gitlab::Audit::InstanceScope"
    changed, back = new_events(world.admin, "/audit_events", start, entity_type=kind, entity_id=1)
    assert (changed["event_name"], changed["details"]["to"]) == ("application_setting_updated", 77)
    assert back["details"]["from"] == 77


def test_sign_ins_and_their_failures(world: World, server: RunningServer, owner: Person) -> None:
    start = newest(world)
    browser = Browser(server)
    browser.sign_in(owner.username, "wrong")
    browser.sign_in(owner.username, PASSWORD)
    events = new_events(world.admin, "/audit_events", start)
    failed, entered = [event for event in events if "authenticat" in event["event_name"]]
    assert (failed["event_name"], failed["author_id"]) == ("login_failed_with_standard_authentication", -1)
    assert failed["details"]["target_details"] == owner.username
    assert failed["details"]["ip_address"].startswith("127.0.0.")
    assert (entered["event_name"], entered["author_id"]) == ("authenticated_with_password", owner.id)
    assert (entered["entity_type"], entered["entity_id"]) == ("User", owner.id)


def test_an_undone_change_leaves_no_event(world: World, owner: Person, project: dict[str, Any]) -> None:
    start = newest(world)
    refused = owner.client.put(f"/projects/{project['id']}", {"name": "Other", "mr_default_target_self": True})
    assert refused.status_code == 400
    assert list(new_events(owner.client, f"/projects/{project['id']}/audit_events", start)) == []


def test_who_reads_which(world: World, owner: Person, developer: Person, project: dict[str, Any]) -> None:
    path = f"/projects/{project['id']}"
    reporter, outsider = world.user(), world.user()
    world.member(project, reporter, "reporter")
    first = owner.client.ok("GET", f"{path}/audit_events?per_page=1")[0]
    assert developer.client.ok("GET", f"{path}/audit_events") == []
    assert developer.client.get(f"{path}/audit_events/{first['id']}").json() == {"message": "404 Not found"}
    assert reporter.client.get(f"{path}/audit_events").status_code == 403
    assert outsider.client.get(f"{path}/audit_events").status_code == 404
    assert owner.client.get("/audit_events").status_code == 403
    assert owner.client.get(f"/audit_events/{first['id']}").status_code == 403
    assert world.anonymous.get("/audit_events").status_code == 401
    other = world.project(owner)
    assert owner.client.get(f"/projects/{other['id']}/audit_events/{first['id']}").status_code == 404


def test_filters_pages_and_errors(world: World, owner: Person) -> None:
    project, admin = world.project(owner), world.admin
    path = f"/projects/{project['id']}/audit_events"
    for level in ("private", "enabled", "disabled"):
        owner.client.ok("PUT", f"/projects/{project['id']}", json={"wiki_access_level": level})
    events = owner.client.ok("GET", f"{path}?per_page=100")
    assert [event["id"] for event in events] == sorted((event["id"] for event in events), reverse=True)
    last, first = events[0]["created_at"], events[-1]["created_at"]
    assert owner.client.ok("GET", f"{path}?created_after={first}&created_before={last}") == events
    assert owner.client.ok("GET", f"{path}?created_after=2999-01-01") == []
    assert owner.client.ok("GET", f"{path}?created_before=2020-01-01") == []
    assert owner.client.ok("GET", f"{path}?author_id={10**9}") == []
    assert owner.client.ok("GET", f"{path}?author_id={owner.id}") == events

    page = owner.client.get(path, pagination="keyset", per_page=2)
    assert page.json() == events[:2]
    following = owner.client.http.get(page.links["next"]["url"])
    assert following.json() == events[2:4]

    missing = admin.get("/audit_events", entity_id=1)
    assert (missing.status_code, missing.json()) == (400, {"error": "entity_type is missing"})
    wrong = admin.get("/audit_events", entity_type="Epic")
    assert wrong.json() == {"error": "entity_type does not have a valid value"}
    assert admin.get(f"/audit_events/{10**9}").json() == {"message": "404 Not found"}
    assert owner.client.queries(path, per_page=1) == owner.client.queries(path, per_page=100)


def test_python_gitlab_reads_them(server: RunningServer, owner: Person, world: World, project: dict[str, Any]) -> None:
    client = gitlab.Gitlab(server.url, private_token=owner.token)
    listed = client.projects.get(project["id"], lazy=True).audit_events
    newest_one = listed.list(get_all=False)[0]
    assert listed.get(newest_one.id).details["entity_path"] == project["path_with_namespace"]
    everything = gitlab.Gitlab(server.url, private_token=world.admin.token)
    assert everything.audit_events.list(entity_type="Project", entity_id=project["id"], get_all=False)
