"""Members of an archive: who joins, who is invited, and with which role."""

from typing import Any

import pytest

from tests.features.transfer.project_imports.making import MOMENT, archive, exported, imported, relation, upload
from tests.support.world import Person, World


@pytest.fixture(scope="module")
def root(world: World) -> Person:
    return Person(1, "root", world.admin, "")


def member(**more: Any) -> dict[str, Any]:
    return {
        "access_level": 30, "source_type": "Project", "user_id": None, "notification_level": 3, "created_at": MOMENT,
        "updated_at": MOMENT, "created_by_id": None, "invite_email": None, "invite_accepted_at": None,
        "requested_at": None, "expires_at": None, "ldap": False, "override": False, **more,
    }  # fmt: skip


def invited(email: str, **more: Any) -> dict[str, Any]:
    return member(invite_email=email, invite_token="secret", **more)


def test_members_without_a_user_are_invited(world: World, root: Person) -> None:
    fresh, old = f"{world.name('new')}@example.com", f"{world.name('old')}@example.com"
    lines = [
        invited(fresh, access_level=50, expires_at="2099-05-05"),
        invited(fresh.upper()),
        invited(old, expires_at="2020-01-01"),
        invited("no address"),
        invited(f"x{fresh}", requested_at=MOMENT),
    ]

    record = imported(world, root, archive(project_members=lines))

    listed = world.admin.ok("GET", f"/projects/{record['id']}/invitations")
    assert [(one["invite_email"], one["access_level"], one["expires_at"]) for one in listed] == [
        (fresh, 40, "2099-05-05")
    ]
    assert listed[0]["created_at"] == "2024-02-01T09:00:00Z"
    again = relation(exported(world, root, record["id"]), "project_members")
    mine = [one for one in again if one["invite_email"]]
    assert mine == [invited_again(fresh)]
    person = world.user(email=fresh)
    assert world.admin.ok("GET", f"/projects/{record['id']}/members/{person.id}")["access_level"] == 40


def invited_again(email: str) -> dict[str, Any]:
    return member(invite_email=email, access_level=40, expires_at="2099-05-05")


def test_an_invited_address_with_an_account_here_is_a_member(world: World, root: Person) -> None:
    email = f"{world.name('here')}@example.com"
    person = world.user(email=email)

    record = imported(world, root, archive(project_members=[invited(email, access_level=20)]))

    assert world.admin.ok("GET", f"/projects/{record['id']}/members/{person.id}")["access_level"] == 20
    assert world.admin.ok("GET", f"/projects/{record['id']}/invitations") == []


def test_only_administrators_bring_members_and_invitations(world: World) -> None:
    owner, friend = world.user(), world.user(email=f"{world.name('friend')}@example.com")
    mail = world.admin.ok("GET", f"/users/{friend.id}")["email"]
    lines = [invited("someone@example.com"), member(user_id=5, user={"id": 5, "public_email": mail})]

    record = imported(world, owner, archive(project_members=lines))

    assert owner.client.ok("GET", f"/projects/{record['id']}/invitations") == []
    assert friend.id not in {one["id"] for one in owner.client.ok("GET", f"/projects/{record['id']}/members")}


def test_who_added_a_member_is_mapped_or_left_out(world: World, root: Person) -> None:
    people = [world.user(email=f"{world.name('m')}@example.com") for _ in range(2)]
    mails = [world.admin.ok("GET", f"/users/{person.id}")["email"] for person in people]
    lines = [
        member(user_id=5, created_by_id=6, access_level=50, user={"id": 5, "email": mails[0], "username": "a"}),
        member(user_id=6, created_by_id=99, user={"id": 6, "public_email": mails[1], "username": "b"}),
    ]

    record = imported(world, root, archive(project_members=lines))

    result = {one["id"]: one for one in world.admin.ok("GET", f"/projects/{record['id']}/members")}
    assert result[people[0].id]["created_by"]["id"] == people[1].id
    assert result[people[0].id]["access_level"] == 40
    assert "created_by" not in result[people[1].id]


def test_an_administrator_who_imports_for_somebody_becomes_a_member(world: World, root: Person) -> None:
    owner = world.user()

    record = imported(world, root, archive(), namespace=owner.username)

    assert 1 in {one["id"] for one in owner.client.ok("GET", f"/projects/{record['id']}/members")}


@pytest.mark.parametrize(
    "content",
    [archive({"description": 5}), archive(project_members=[member(access_level="high")])],
    ids=["root attributes", "members"],
)
def test_what_cannot_be_read_of_the_project_itself_ends_the_import(world: World, root: Person, content: bytes) -> None:
    created = upload(root, content, path=world.name("bad"))
    world.run_jobs()

    record = world.admin.ok("GET", f"/projects/{created.json()['id']}/import")

    assert record["import_status"] == "failed"
    assert record["import_error"].startswith(f"Error importing repository  into {record['path_with_namespace']} - ")


def test_only_administrators_export_addresses_that_are_not_public(world: World, root: Person) -> None:
    owner, shy, open_hearted = world.user(), world.user(), world.user()
    project = world.project(owner)
    for person in (shy, open_hearted):
        world.member(project, person, "developer")
    mail = open_hearted.client.ok("GET", "/user")["email"]
    world.admin.ok("PUT", f"/users/{open_hearted.id}", json={"public_email": mail})

    def addresses(person: Person) -> dict[int, str | None]:
        members = relation(exported(world, person, project["id"]), "project_members")
        return {one["user_id"]: one["user"]["public_email"] for one in members}

    assert {shy.id: None, open_hearted.id: mail}.items() <= addresses(owner).items()
    assert addresses(root)[shy.id] == shy.client.ok("GET", "/user")["email"]


def test_a_group_that_locks_memberships_gets_nobody_by_an_import(world: World) -> None:
    owner, friend = world.user(), world.user()
    source = world.project(owner)
    world.member(source, friend, "developer")
    content = exported(world, owner, source["id"])
    group = world.group(owner)
    owner.client.ok("PUT", f"/groups/{group['id']}", json={"membership_lock": True})

    locked = imported(world, owner, content, namespace=group["full_path"])
    free = imported(world, owner, content)

    assert world.admin.get(f"/projects/{locked['id']}/members/{friend.id}").status_code == 404
    assert world.admin.ok("GET", f"/projects/{free['id']}/members/{friend.id}")["access_level"] == 30


def test_a_group_that_enforces_sso_gets_by_an_import_only_whom_its_provider_knows(world: World, root: Person) -> None:
    owner, known, unknown, invitee = (world.user() for _ in range(4))
    source = world.project(owner)
    for person in (known, unknown):
        world.member(source, person, "developer")
    content = exported(world, owner, source["id"])
    group = world.group(owner)
    body = {"sso_url": "https://idp.example.com/sso", "certificate_fingerprint": "00" * 32, "enforced_sso": True}
    owner.client.ok("PUT", f"/groups/{group['id']}/saml_provider", json=body)
    identity = {"provider": "group_saml", "extern_uid": "known", "group_id_for_saml": group["id"]}
    world.admin.ok("PUT", f"/users/{known.id}", json=identity)
    mail = invitee.client.ok("GET", "/user")["email"]

    own = imported(world, owner, content, namespace=group["full_path"])
    brought = imported(world, root, archive(project_members=[invited(mail)]), namespace=group["full_path"])
    free = imported(world, owner, content)

    def status(project: dict[str, Any], person: Person) -> int:
        return world.admin.get(f"/projects/{project['id']}/members/{person.id}").status_code

    assert [status(own, person) for person in (known, unknown)] == [200, 404]
    assert status(brought, invitee) == 404
    assert [status(free, person) for person in (known, unknown)] == [200, 200]
