"""Accounts of users at identity providers, through the users interface."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from tests.support.world import World

PAIR = "extern_uid, provider provide all or none of parameters"


def identities(world: World, user_id: int) -> list[dict]:
    result: list[dict] = world.admin.ok("GET", f"/users/{user_id}")["identities"]
    return result


def test_an_administrator_gives_changes_and_takes_an_identity(world: World) -> None:
    person = world.user()

    answer = world.admin.put(f"/users/{person.id}", json={"provider": "saml", "extern_uid": "x1"})
    assert answer.status_code == 200
    expected = {"provider": "saml", "extern_uid": "x1", "saml_provider_id": None}
    assert answer.json()["identities"] == [expected]
    assert identities(world, person.id) == [expected]

    world.admin.ok("PUT", f"/users/{person.id}", json={"provider": "saml", "extern_uid": "x2"})
    world.admin.ok("PUT", f"/users/{person.id}", json={"provider": "ldap", "extern_uid": "x2"})
    assert [(one["provider"], one["extern_uid"]) for one in identities(world, person.id)] == [
        ("saml", "x2"),
        ("ldap", "x2"),
    ]

    gone = world.admin.delete(f"/users/{person.id}/identities/saml")
    assert (gone.status_code, gone.content) == (204, b"")
    assert [one["provider"] for one in identities(world, person.id)] == ["ldap"]
    again = world.admin.delete(f"/users/{person.id}/identities/saml")
    assert (again.status_code, again.json()) == (404, {"message": "404 Identity Not Found"})


def test_a_new_user_may_come_with_an_identity(world: World) -> None:
    person = world.user(provider="saml", extern_uid="born-with")
    assert [one["extern_uid"] for one in identities(world, person.id)] == ["born-with"]


def test_a_taken_identity_is_refused_whatever_its_case(world: World) -> None:
    first, second = world.user(), world.user()
    world.admin.ok("PUT", f"/users/{first.id}", json={"provider": "saml", "extern_uid": "Unique"})

    answer = world.admin.put(f"/users/{second.id}", json={"provider": "saml", "extern_uid": "unique"})

    body = {"message": {"identities.extern_uid": ["has already been taken"]}}
    assert (answer.status_code, answer.json()) == (400, body)
    # The holder may change the case.
    world.admin.ok("PUT", f"/users/{first.id}", json={"provider": "saml", "extern_uid": "UNIQUE"})


@pytest.mark.parametrize("body", [{"provider": "saml"}, {"extern_uid": "x"}])
def test_provider_and_uid_go_together(world: World, body: dict[str, str]) -> None:
    person = world.user()
    for answer in (world.admin.put(f"/users/{person.id}", json=body), world.admin.get("/users", **body)):
        assert (answer.status_code, answer.json()) == (400, {"error": PAIR})


def test_administrators_find_users_by_identity(world: World) -> None:
    person = world.user(provider="saml", extern_uid="find/me@x")
    result = world.admin.get("/users", provider="saml", extern_uid="find/me@x").json()
    assert [one["id"] for one in result] == [person.id]
    assert world.admin.get("/users", provider="ldap", extern_uid="find/me@x").json() == []
    assert person.client.get("/users", provider="saml", extern_uid="find/me@x").status_code == 403


def test_an_identity_at_a_groups_own_provider(world: World) -> None:
    owner, person = world.user(), world.user()
    group = world.group(owner)
    body = {"provider": "group_saml", "extern_uid": "g1", "group_id_for_saml": group["id"]}

    world.admin.ok("PUT", f"/users/{person.id}", json=body)

    assert owner.client.ok("GET", f"/groups/{group['id']}/saml/identities") == [
        {"extern_uid": "g1", "user_id": person.id}
    ]
    shown = identities(world, person.id)[0]
    assert (shown["provider"], shown["extern_uid"]) == ("group_saml", "g1")
    assert isinstance(shown["saml_provider_id"], int)
    result = world.admin.get("/users", saml_provider_id=shown["saml_provider_id"]).json()
    assert [one["id"] for one in result] == [person.id]
    # The provider that holds it is a blank until an owner configures it.
    assert owner.client.ok("GET", f"/groups/{group['id']}/saml_provider")["enabled"] is False


def test_the_group_of_an_identity_must_be_a_top_level_group(world: World) -> None:
    person = world.user()
    group = world.group()
    below = world.group(parent_id=group["id"])
    body = {"provider": "group_saml", "extern_uid": "g1"}
    unknown = world.admin.put(f"/users/{person.id}", json={**body, "group_id_for_saml": 999999})
    assert (unknown.status_code, unknown.json()) == (404, {"message": "404 Group Not Found"})
    nested = world.admin.put(f"/users/{person.id}", json={**body, "group_id_for_saml": below["id"]})
    assert nested.status_code == 400
    assert identities(world, person.id) == []


def test_only_administrators_see_and_change_identities(world: World) -> None:
    person, other = world.user(provider="saml", extern_uid="hidden"), world.user()
    assert "identities" not in other.client.ok("GET", f"/users/{person.id}")
    assert other.client.delete(f"/users/{person.id}/identities/saml").status_code == 403
    assert world.anonymous.delete(f"/users/{person.id}/identities/saml").status_code == 401
    body = {"provider": "saml", "extern_uid": "mine"}
    assert other.client.put(f"/users/{other.id}", json=body).status_code == 403


def test_unknown_users_and_long_names(world: World) -> None:
    missing = world.admin.delete("/users/999999/identities/saml")
    assert (missing.status_code, missing.json()) == (404, {"message": "404 User Not Found"})
    assert world.admin.put("/users/999999", json={"provider": "saml", "extern_uid": "x"}).status_code == 404
    person = world.user()
    long = world.admin.put(f"/users/{person.id}", json={"provider": "saml", "extern_uid": "x" * 300})
    assert long.status_code == 400


def test_a_stale_delete_is_refused(world: World) -> None:
    person = world.user(provider="saml", extern_uid="stale")
    path = f"/users/{person.id}/identities/saml"
    before = format_datetime(datetime.now(UTC) - timedelta(hours=1), usegmt=True)
    after = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    assert world.admin.delete(path, headers={"If-Unmodified-Since": before}).status_code == 412
    assert world.admin.delete(path, headers={"If-Unmodified-Since": after}).status_code == 204
