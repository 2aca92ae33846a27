"""Invitations by e-mail to groups and projects, with python-gitlab too."""

from typing import Any

import gitlab
import pytest

from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(params=["groups", "projects"])
def place(request: pytest.FixtureRequest, world: World, owner: Person) -> str:
    created = world.group(owner) if request.param == "groups" else world.project(owner)
    return f"/{request.param}/{created['id']}"


def address(world: World) -> str:
    return f"{world.name('invited')}@example.com"


def invite(owner: Person, place: str, **fields: Any) -> Any:
    return owner.client.post(f"{place}/invitations", json={"access_level": 30, **fields})


def test_an_address_is_invited_and_listed(world: World, owner: Person, place: str) -> None:
    email = address(world)

    answer = invite(owner, place, email=email.upper(), expires_at="2099-01-01")

    assert (answer.status_code, answer.json()) == (201, {"status": "success"})
    listed = owner.client.get(f"{place}/invitations", query=email[:9])
    result = listed.json()[0]
    assert (result["invite_email"], result["access_level"], result["expires_at"]) == (email.upper(), 30, "2099-01-01")
    assert (result["user_name"], result["created_by_name"]) == (None, owner.client.ok("GET", "/user")["name"])
    assert owner.client.ok("GET", f"{place}/invitations", params={"query": "nobody"}) == []


def test_an_account_with_the_address_takes_the_role(world: World, owner: Person, place: str) -> None:
    email = address(world)
    invite(owner, place, email=email, access_level=20)

    person = world.user(email=email.title())

    members = {one["id"]: one["access_level"] for one in owner.client.ok("GET", f"{place}/members")}
    assert members[person.id] == 20
    assert owner.client.ok("GET", f"{place}/invitations") == []


def test_an_address_that_nobody_proved_takes_nothing(world: World, owner: Person, place: str) -> None:
    email = address(world)
    invite(owner, place, email=email)

    person = world.user(email=email, skip_confirmation=False)

    assert owner.client.get(f"{place}/members/{person.id}").status_code == 404
    assert len(owner.client.ok("GET", f"{place}/invitations")) == 1
    other = {"email": f"x{email}", "skip_reconfirmation": True}
    world.admin.ok("PUT", f"/users/{person.id}", json=other)
    assert owner.client.get(f"{place}/members/{person.id}").status_code == 404
    world.admin.ok("PUT", f"/users/{person.id}", json={"email": email, "skip_reconfirmation": True})
    assert owner.client.ok("GET", f"{place}/members/{person.id}")["access_level"] == 30


def test_known_addresses_and_users_become_members_at_once(world: World, owner: Person, place: str) -> None:
    email = address(world)
    first, second = world.user(email=email), world.user()

    answer = invite(owner, place, email=email, user_id=str(second.id))

    assert answer.json() == {"status": "success"}
    members = {one["id"] for one in owner.client.ok("GET", f"{place}/members")}
    assert {first.id, second.id} <= members
    again = invite(owner, place, user_id=f"{second.id},999999999")
    assert again.json() == {
        "status": "error", "message": {second.username: "Member already exists", "999999999": "User not found"}
    }  # fmt: skip


def test_problems_are_told_for_each_address(world: World, owner: Person, place: str) -> None:
    email, other = address(world), address(world)
    invite(owner, place, email=email)

    answer = invite(owner, place, email=f"{email},{other},no address")

    assert answer.json()["message"] == {
        email: "Invite email has already been taken", "no address": "Invite email is invalid"
    }  # fmt: skip
    bad = invite(owner, place, email=address(world), access_level=7).json()
    assert next(iter(bad["message"].values())) == "Access level is not included in the list"
    missing = owner.client.post(f"{place}/invitations", json={"access_level": 30})
    assert (missing.status_code, "email, user_id" in missing.json()["error"]) == (400, True)


def test_invitations_are_changed_and_taken_back(world: World, owner: Person, place: str) -> None:
    email = address(world)
    invite(owner, place, email=email)

    changed = owner.client.put(f"{place}/invitations/{email}", json={"access_level": 40, "expires_at": "2099-02-01"})

    assert changed.json() == {"expires_at": "2099-02-01", "access_level": 40}
    past = owner.client.put(f"{place}/invitations/{email}", json={"expires_at": "2001-02-01"})
    assert past.json() == {"message": {"expires_at": ["cannot be a date in the past"]}}
    assert owner.client.delete(f"{place}/invitations/{email}").status_code == 204
    assert owner.client.delete(f"{place}/invitations/{email}").status_code == 404


def test_who_does_not_manage_members_does_not_invite(world: World, owner: Person) -> None:
    project = world.project(owner, visibility="public")
    developer = world.user()
    world.member(project, developer, "developer")
    path = f"/projects/{project['id']}/invitations"

    assert developer.client.get(path).status_code == 403
    assert developer.client.post(path, json={"email": "a@b.c", "access_level": 10}).status_code == 403
    assert world.anonymous.get(path).status_code == 401
    maintainer = world.user()
    world.member(project, maintainer, "maintainer")
    assert maintainer.client.post(path, json={"email": "a@b.c", "access_level": 50}).status_code == 403


def test_the_list_needs_a_fixed_number_of_statements(world: World, owner: Person) -> None:
    path = f"/projects/{world.project(owner)['id']}"
    invite(owner, path, email=address(world))
    few = owner.client.queries(f"{path}/invitations")
    for _ in range(5):
        invite(owner, path, email=address(world))

    assert owner.client.queries(f"{path}/invitations") == few


def test_python_gitlab_invites(world: World, owner: Person) -> None:
    project = world.project(owner)
    email = address(world)
    with gitlab.Gitlab(world.server.url, private_token=owner.token) as client:
        manager = client.projects.get(project["id"]).invitations
        manager.create({"email": email, "access_level": gitlab.const.AccessLevel.DEVELOPER})
        manager.update(email, {"access_level": 40})
        assert [(one.invite_email, one.access_level) for one in manager.list(get_all=True)] == [(email, 40)]
        manager.delete(email)
        assert manager.list(get_all=True) == []


def test_another_level_takes_the_custom_role_off_an_invitation(world: World, owner: Person) -> None:
    group = world.group(owner)["id"]
    place, emails = f"/groups/{group}", [address(world), address(world)]
    role = owner.client.ok("POST", f"{place}/member_roles", json={"name": "Reader", "base_access_level": 10})["id"]
    for email in emails:
        assert invite(owner, place, email=email, access_level=10, member_role_id=role).json() == {"status": "success"}

    # The role of a member is shown only at its own level, so back to that.
    for level in (30, 10):
        owner.client.ok("PUT", f"{place}/invitations/{emails[0]}", json={"access_level": level})
    owner.client.ok("PUT", f"{place}/invitations/{emails[1]}", json={"access_level": 10, "expires_at": "2099-01-01"})

    changed, same = (owner.client.ok("GET", f"{place}/members/{world.user(email=email).id}") for email in emails)
    assert (changed["access_level"], changed.get("member_role")) == (10, None)
    assert (same["access_level"], same["member_role"]["id"]) == (10, role)
