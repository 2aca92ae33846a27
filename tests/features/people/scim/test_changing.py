"""An identity provider changes people and takes them out."""

from typing import Any

import pytest

from tests.features.people.saml.organisation import add_member
from tests.features.people.scim.provider_side import ScimGroup, make_scim_group, refusal
from tests.support.world import World


def op(path: str | None, value: Any, kind: str = "replace") -> dict[str, Any]:
    return {"op": kind, "value": value} if path is None else {"op": kind, "path": path, "value": value}


@pytest.mark.parametrize(
    "operation",
    [
        op("active", value=False),
        op("active", "False", "Replace"),
        op("active", "false", "Add"),
        op("urn:ietf:params:scim:schemas:core:2.0:User:active", value=False),
        op(None, {"active": False}),
        op("active", [{"value": "false"}]),
    ],
)
def test_a_person_is_taken_out_and_brought_back(world: World, acme: ScimGroup, operation: dict[str, Any]) -> None:
    uid = world.name("leaves")
    acme.create(uid)
    user_id = acme.identity(uid)["user_id"]
    below = acme.org.subgroup(world.name("team"))
    add_member(world, below, user_id, 40)
    project = world.project(acme.org.owner, namespace_id=acme.org.id)
    world.admin.ok("POST", f"/projects/{project['id']}/members", json={"user_id": user_id, "access_level": 40})

    gone = acme.patch(uid, operation)

    assert (gone.status_code, gone.content) == (204, b"")
    assert (acme.get(uid).json()["active"], acme.identity(uid)["active"]) == (False, False)
    for place in (f"/groups/{acme.org.id}", f"/groups/{below}", f"/projects/{project['id']}"):
        assert world.admin.get(f"{place}/members/{user_id}").status_code == 404
    account = world.admin.ok("GET", f"/users/{user_id}")
    assert (account["state"], len(account["identities"])) == ("active", 1)
    assert acme.patch(uid, operation).status_code == 204  # once more is no mistake

    assert acme.patch(uid, op("active", "true")).status_code == 204
    assert (acme.identity(uid)["active"], acme.level(user_id)) == (True, 20)


def test_deleting_takes_the_person_out_and_keeps_the_account(world: World, acme: ScimGroup) -> None:
    uid = world.name("deleted")
    acme.create(uid)
    user_id = acme.identity(uid)["user_id"]

    early = acme.delete(uid, **{"If-Unmodified-Since": "Mon, 01 Jan 2001 00:00:00 GMT"})
    assert refusal(early) == (412, "412 Precondition Failed")
    assert acme.level(user_id) == 20

    gone = acme.delete(uid, **{"If-Unmodified-Since": "Fri, 01 Jan 2100 00:00:00 GMT"})

    assert (gone.status_code, gone.content) == (204, b"")
    assert acme.level(user_id) is None
    assert world.admin.ok("GET", f"/users/{user_id}")["scim_identities"][0]["active"] is False
    assert acme.delete(uid).status_code == 204
    assert refusal(acme.delete("nobody")) == (404, "Resource nobody not found")


def test_who_left_the_group_by_other_ways_still_leaves_what_is_below(world: World, acme: ScimGroup) -> None:
    uid = world.name("halfway")
    acme.create(uid)
    user_id = acme.identity(uid)["user_id"]
    below = acme.org.subgroup(world.name("team"))
    add_member(world, below, user_id, 30)
    world.admin.delete(f"/groups/{acme.org.id}/members/{user_id}?skip_subresources=true")

    assert acme.delete(uid).status_code == 204

    assert world.admin.get(f"/groups/{below}/members/{user_id}").status_code == 404
    assert acme.identity(uid)["active"] is False


def test_the_last_owner_stays(world: World, acme: ScimGroup) -> None:
    owner = acme.org.owner
    body = {"provider": "group_saml", "extern_uid": "boss", "group_id_for_saml": acme.org.id}
    world.admin.ok("PUT", f"/users/{owner.id}", json=body)
    assert acme.create("boss").status_code == 201
    assert acme.level(owner.id) == 50

    for answer in (acme.delete("boss"), acme.patch("boss", op("id", "new"), op("active", value=False))):
        status, detail = refusal(answer)
        assert (status, detail[-31:]) == (412, "Cannot remove last group owner.")
    assert acme.identity("boss") == {"extern_uid": "boss", "user_id": owner.id, "active": True}

    add_member(world, acme.org.id, world.user().id, 50)
    assert acme.delete("boss").status_code == 204


def test_the_identity_is_renamed(world: World, acme: ScimGroup) -> None:
    one, two, new = (world.name("uid") for _ in range(3))
    acme.create(one)
    acme.create(two)

    assert acme.patch(one, op("id", new)).status_code == 204
    assert acme.get(one).status_code == 404
    assert acme.patch(new, op(None, {"externalId": one})).status_code == 204
    assert acme.get(one).status_code == 200
    assert refusal(acme.patch(one, op("externalId", two.upper()))) == (409, "Extern uid has already been taken")
    assert acme.patch(one, op("externalId", one.upper())).status_code == 204
    assert acme.get(one).json()["id"] == one.upper()  # found whatever its case


def test_an_account_that_the_group_made_follows_its_provider(world: World, acme: ScimGroup) -> None:
    uid, body = world.name("follows"), world.name("renamed")
    acme.create(uid)

    changed = acme.patch(
        uid,
        op("name.formatted", "Old Name", "Add"),
        op("name.formatted", "New Name", "Add"),
        op('emails[type eq "work"].value', f"{body}@scim.example"),
        op("userName", f"{body}@scim.example"),
        op("title", "Chief"),
        op("urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department", "IT"),
        op("phoneNumbers", None, "remove"),
    )

    assert changed.status_code == 204
    shown = acme.get(uid).json()
    assert (shown["name.formatted"], shown["userName"]) == ("New Name", body)
    assert shown["emails"][0]["value"] == f"{body}@scim.example"
    assert acme.patch(uid, op("name", {"givenName": "Ada", "familyName": "L"})).status_code == 204
    assert acme.person(uid)["name"] == "Ada L"


def test_an_address_of_somebody_else_is_refused_and_nothing_is_changed(world: World, acme: ScimGroup) -> None:
    uid = world.name("wants")
    acme.create(uid)
    taken = world.admin.ok("GET", f"/users/{acme.org.stranger.id}")["email"]

    answer = acme.patch(uid, op("name.formatted", "Half Done"), op("emails", [{"value": taken}]))

    assert refusal(answer) == (409, "Email has already been taken")
    assert acme.person(uid)["name"] == "Test User"
    assert refusal(acme.patch(uid, op("emails", "no address"))) == (400, "Email is invalid")


def test_the_accounts_of_others_are_not_changed(world: World, acme: ScimGroup) -> None:
    victim = world.user()
    before = world.admin.ok("GET", f"/users/{victim.id}")
    body = {"provider": "group_saml", "extern_uid": "victim", "group_id_for_saml": acme.org.id}
    world.admin.ok("PUT", f"/users/{victim.id}", json=body)
    acme.create("victim")

    changed = acme.patch("victim", op("emails", "mine@evil.example"), op("userName", "x"), op("name.formatted", "X"))

    assert changed.status_code == 204
    after = world.admin.ok("GET", f"/users/{victim.id}")
    same = ("email", "username", "name", "confirmed_at")
    assert [after[name] for name in same] == [before[name] for name in same]


def test_an_account_made_by_another_group_is_not_changed(world: World, acme: ScimGroup) -> None:
    other = make_scim_group(world)
    uid = world.name("both")
    acme.create(uid)
    user_id = acme.identity(uid)["user_id"]
    body = {"provider": "group_saml", "extern_uid": "there", "group_id_for_saml": other.org.id}
    world.admin.ok("PUT", f"/users/{user_id}", json=body)
    other.create("there")

    assert other.patch("there", op("userName", "taken-over")).status_code == 204
    assert other.delete("there").status_code == 204

    assert acme.person(uid)["username"] == uid
    assert (acme.level(user_id), other.level(user_id)) == (20, None)


def test_an_account_that_became_an_administrator_is_not_changed(world: World, acme: ScimGroup) -> None:
    uid = world.name("promoted")
    acme.create(uid)
    world.admin.ok("PUT", f"/users/{acme.identity(uid)['user_id']}", json={"admin": True})
    assert acme.patch(uid, op("emails", "mine@evil.example")).status_code == 204
    assert acme.person(uid)["email"] == f"{uid}@scim.example"


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({}, "invalidSyntax"),
        ({"Operations": None}, "invalidSyntax"),
        ({"Operations": []}, "invalidSyntax"),
        ({"Operations": {"op": "add"}}, "invalidSyntax"),
        ({"Operations": ["active"]}, "invalidSyntax"),
        ({"Operations": [{}]}, "invalidSyntax"),
        ({"Operations": [{"op": 5, "path": "active", "value": True}]}, "invalidSyntax"),
        ({"Operations": [{"op": "explode", "path": "active", "value": True}]}, "invalidSyntax"),
        ({"Operations": [{"op": "add", "path": 5, "value": True}]}, "invalidSyntax"),
        ({"Operations": [{"op": "add", "path": ["active"], "value": True}]}, "invalidSyntax"),
        ({"Operations": [{"op": "add", "value": "x"}]}, "invalidSyntax"),
        ({"Operations": [{"op": "add"}]}, "invalidSyntax"),
        ({"Operations": [{"op": "add", "path": "title", "value": "x"}] * 1001}, "invalidSyntax"),
        ({"Operations": [{"op": "remove", "path": "userName"}]}, "invalidValue"),
        ({"Operations": [{"op": "remove", "path": 'emails[type eq "work"]'}]}, "invalidValue"),
        ({"Operations": [{"op": "add", "path": "active"}]}, "invalidValue"),
        ({"Operations": [{"op": "add", "path": "active", "value": 2}]}, "invalidValue"),
        ({"Operations": [{"op": "add", "path": "active", "value": {"x": [1]}}]}, "invalidValue"),
        ({"Operations": [{"op": "add", "path": "id", "value": ""}]}, "invalidValue"),
        ({"Operations": [{"op": "add", "path": "id", "value": "x" * 300}]}, "invalidValue"),
        ({"Operations": [{"op": "add", "path": "id", "value": 10**30}]}, "invalidValue"),
        ({"Operations": [{"op": "add", "path": "emails", "value": [[]]}]}, "invalidValue"),
        ({"Operations": [{"op": "add", "path": "name", "value": "x"}]}, "invalidValue"),
        ({"Operations": [{"op": "add", "path": "name.formatted", "value": False}]}, "invalidValue"),
    ],
)
def test_operations_that_cannot_be_read_are_refused(world: World, acme: ScimGroup, body: Any, kind: str) -> None:
    uid = world.name("odd")
    acme.create(uid)
    answer = acme.request("PATCH", f"/{uid}", json=body)
    assert refusal(answer)[0] == 400
    assert answer.json()["scimType"] == kind
    assert acme.get(uid).json()["active"] is True
    assert refusal(acme.patch("nobody", op("active", value=True))) == (404, "Resource nobody not found")
