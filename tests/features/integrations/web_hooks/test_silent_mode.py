"""Silent mode: of hooks, integrations, mails and mirrors nothing leaves, nor is it kept for later."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.databases import Databases
from tests.support.mailbox import Mailbox, mailing_world
from tests.support.receiver import Receiver
from tests.support.world import Person, World


@pytest.fixture(scope="module")
def mailed(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[World, Mailbox]]:
    with mailing_world(databases, tmp_path_factory.mktemp("silence")) as made:
        yield made


@pytest.fixture(scope="module")
def world(mailed: tuple[World, Mailbox]) -> World:
    return mailed[0]


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


def refs(owner: Person, project: dict[str, Any]) -> dict[str, str]:
    found = owner.client.ok("GET", f"/projects/{project['id']}/repository/branches")
    return {one["name"]: one["commit"]["id"] for one in found}


def set_silent(world: World, value: bool) -> None:
    changed = world.admin.ok("PUT", "/application/settings", json={"silent_mode_enabled": value})
    assert changed["silent_mode_enabled"] is value


@pytest.fixture
def silence(world: World) -> Iterator[None]:
    """Leaves no silence behind."""
    yield
    set_silent(world, False)


def test_nothing_leaves_and_nothing_is_kept_for_later(
    world: World, mailed: tuple[World, Mailbox], owner: Person, receiver: Receiver, silence: None
) -> None:
    box, path, friend = mailed[1], f"/{world.name('silence')}", world.user()
    group, call = world.group(owner), owner.client.ok
    project = world.project(owner, namespace_id=group["id"], initialize_with_readme=True)
    place = f"/projects/{project['id']}"
    world.member(project, friend, 30)
    on = {"push_events": False, "issues_events": True}
    hook = call("POST", f"{place}/hooks", json={"url": f"{receiver.url}{path}/project", **on})
    call("POST", f"/groups/{group['id']}/hooks", json={"url": f"{receiver.url}{path}/group", **on})
    url = f"{receiver.url}{path}/system"
    system = world.admin.ok("POST", "/hooks", json={"url": url, "push_events": True, "repository_update_events": False})
    call("PUT", f"{place}/integrations/slack", json={"webhook": f"{receiver.url}{path}/slack"})

    def arrived() -> list[str]:
        world.run_jobs()
        return [one.path.removeprefix(f"{path}/") for one in receiver.received(path)]

    def open_issue() -> None:
        call("POST", f"{place}/issues", json={"title": "Hinge", "description": f"@{friend.username}"})

    open_issue()
    assert sorted(arrived()) == ["group", "project", "slack"]
    assert f"{friend.username}@example.com" in box.addresses()
    box.mails.clear()

    open_issue()  # waits, when it becomes silent
    set_silent(world, True)
    open_issue()
    world.commit(project, "main", {"a.txt": "1"}, user_id=owner.id)
    new = world.name("new")
    body = {"username": new, "name": "New", "email": f"{new}@example.com", "reset_password": True}
    world.admin.ok("POST", "/users", json=body)
    one = f"{place}/hooks/{hook['id']}"
    tested = owner.client.post(f"{one}/test/issues_events")
    assert (tested.status_code, tested.json()) == (422, {"message": "Silent mode enabled"})
    [entry] = call("GET", f"{one}/events")
    resent = owner.client.post(f"{one}/events/{entry['id']}/resend")
    assert (resent.status_code, resent.json()) == (422, {"message": "Silent mode enabled"})
    sample = world.admin.post(f"/hooks/{system['id']}")
    assert (sample.status_code, sample.json()["event_name"]) == (201, "project_create")
    assert sorted(arrived()) == ["group", "project", "slack"]
    assert box.mails == []
    assert [one["id"] for one in call("GET", f"{one}/events")] == [entry["id"]]
    assert call("GET", one)["alert_status"] == "executable"

    set_silent(world, False)
    assert sorted(arrived()) == ["group", "project", "slack"]
    open_issue()
    assert sorted(arrived()) == ["group", "group", "project", "project", "slack", "slack"]
    assert f"{friend.username}@example.com" in box.addresses()


def test_mirrors_rest(world: World, owner: Person, silence: None) -> None:
    source, target = world.project(owner, initialize_with_readme=True), world.project(owner)
    call, address = owner.client.ok, target["http_url_to_repo"].replace("://", f"://oauth2:{owner.token}@")
    pushed = f"/projects/{source['id']}/remote_mirrors"
    mirror = call("POST", pushed, json={"url": address, "enabled": True})  # scheduled, when it becomes silent
    set_silent(world, True)
    world.run_jobs()
    shown = call("GET", f"{pushed}/{mirror['id']}")
    assert (shown["update_status"], shown["last_error"]) == ("failed", "Silent mode enabled")
    assert owner.client.post(f"{pushed}/{mirror['id']}/sync").status_code == 204
    origin = source["http_url_to_repo"].replace("://", f"://oauth2:{owner.token}@")
    copy, once = world.project(owner), {"name": world.name("once"), "import_url": origin}
    pulled = f"/projects/{copy['id']}/mirror/pull"
    call("PUT", pulled, json={"url": origin, "enabled": True})
    world.run_jobs()
    assert (refs(owner, target), refs(owner, copy)) == ({}, {})
    shown = call("GET", pulled)
    assert (shown["update_status"], shown["last_error"]) == ("failed", "Silent mode enabled")
    assert call("POST", pulled) == 200
    # What somebody asks for once is only read there.
    imported = call("POST", "/projects", json=once)
    world.run_jobs()
    assert refs(owner, imported) == refs(owner, source)

    set_silent(world, False)
    assert owner.client.post(f"{pushed}/{mirror['id']}/sync").status_code == 204
    call("POST", pulled)
    world.run_jobs()
    assert refs(owner, target) == refs(owner, source) == refs(owner, copy)
