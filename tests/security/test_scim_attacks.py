"""Attacks through SCIM: the token of one group, in the hands of a hostile identity provider."""

import time
from urllib.parse import quote

import pytest
from sqlalchemy import func, select

from ingot.identity.tables import scim_identities, users
from tests.features.people.scim.provider_side import USER, ScimGroup, make_scim_group, refusal
from tests.support import plain_http
from tests.support.processor_time import slowness
from tests.support.world import World

pytestmark = pytest.mark.costly


@pytest.fixture(scope="module")
def acme(world: World) -> ScimGroup:
    return make_scim_group(world, default_membership_role=20)


@pytest.fixture(scope="module")
def other(world: World) -> ScimGroup:
    return make_scim_group(world)


def account(world: World, user_id: int) -> dict:
    return world.admin.ok("GET", f"/users/{user_id}")


def test_a_token_opens_its_own_group_only(world: World, acme: ScimGroup, other: ScimGroup) -> None:
    uid = world.name("theirs")
    assert other.create(uid).status_code == 201
    thief = ScimGroup(other.org, other.url, acme.token)
    answers = [
        thief.get(uid), thief.request("GET"), thief.create(world.name("x")), thief.delete(uid),
        thief.patch(uid, {"op": "replace", "path": "active", "value": False}),
    ]  # fmt: skip
    assert {answer.status_code for answer in answers} == {401}
    assert acme.get(uid).status_code == 404
    assert other.identity(uid)["active"] is True


@pytest.mark.parametrize("path", ["{path}%00", "{path}/../{other}", "{path}%2f..%2f{other}", "{other}%2f", "{other} "])
def test_no_spelling_of_a_path_leads_into_another_group(acme: ScimGroup, other: ScimGroup, path: str) -> None:
    base = acme.url.removesuffix(acme.org.path)
    raw = f"{base}{path.format(path=acme.org.path, other=other.org.path)}/Users"
    answer = plain_http.get(raw, headers={"Authorization": f"Bearer {acme.token}"})
    assert answer.status_code in (400, 401, 404), answer.text


@pytest.mark.parametrize("credential", ["PRIVATE-TOKEN", "Bearer", "Basic", "query"])
def test_other_credentials_do_not_open_scim_and_its_token_opens_nothing_else(
    world: World, acme: ScimGroup, credential: str
) -> None:
    headers = {"PRIVATE-TOKEN": acme.token} if credential == "PRIVATE-TOKEN" else {}
    if credential in ("Bearer", "Basic"):
        headers = {"Authorization": f"{credential} {acme.token}"}
    query = {"private_token": acme.token} if credential == "query" else {}
    for place in ("/user", f"/groups/{acme.org.id}", f"/groups/{acme.org.id}/scim/identities"):
        answer = plain_http.get(f"{world.server.url}/api/v4{place}", headers=headers, params=query)
        assert answer.status_code in (401, 404), (place, answer.text)
    root = {"Authorization": f"Bearer {world.admin.token}"}
    assert plain_http.get(f"{acme.url}/Users", headers=root).status_code == 401
    assert plain_http.get(f"{acme.url}/Users", headers={"PRIVATE-TOKEN": acme.org.owner.token}).status_code == 401
    assert plain_http.get(f"{acme.url}/Users", params={"private_token": acme.token}).status_code == 401


def test_an_account_is_not_taken_by_its_address(world: World, acme: ScimGroup) -> None:
    victim = world.user()
    for address in (f"{victim.username}@example.com", f"{victim.username.upper()}@EXAMPLE.com"):
        assert refusal(acme.create(world.name("uid"), address))[0] == 412
    assert acme.level(victim.id) is None
    assert account(world, victim.id)["identities"] == []


def test_a_further_address_of_somebody_leads_to_no_account(world: World, acme: ScimGroup) -> None:
    victim = world.user()
    further = f"{world.name('further')}@example.com"
    victim.client.ok("POST", "/user/emails", json={"email": further})
    assert refusal(acme.create(world.name("uid"), further))[0] == 412


SMUGGLED = {
    "admin": True, "is_admin": True, "roles": [{"value": "admin"}], "groups": [{"value": "1"}],
    "password": "Secret-123!", "entitlements": ["owner"], "access_level": 50, "state": "active",
    "confirmed_at": "2020-01-01T00:00:00Z",
    "provisioned_by_group_id": 1, "projects_limit": 100_000, "can_create_group": True, "external": False,
    "urn:ietf:params:scim:schemas:core:2.0:User:admin": True, "profile": {"x": 1}, "user_id": 1, "group_id": 1,
}  # fmt: skip


def test_attributes_that_nobody_asked_for_change_nothing(world: World, acme: ScimGroup) -> None:
    uid = world.name("smuggler")
    assert acme.create(uid, **SMUGGLED).status_code == 201
    before = acme.person(uid)
    operations = [{"op": "replace", "path": name, "value": value} for name, value in SMUGGLED.items()]
    assert acme.patch(uid, *operations).status_code == 204
    assert acme.patch(uid, {"op": "add", "value": SMUGGLED}).status_code == 204
    after = acme.person(uid)

    assert after["is_admin"] is False
    assert after["confirmed_at"] is None
    assert {name: after[name] for name in after if name != "last_activity_on"} == {
        name: before[name] for name in before if name != "last_activity_on"
    }
    assert acme.level(after["id"]) == 20


def test_the_provider_does_not_rename_accounts_that_it_did_not_make(world: World, acme: ScimGroup) -> None:
    person = world.user()
    body = {"provider": "group_saml", "extern_uid": f"{person.username}-uid", "group_id_for_saml": acme.org.id}
    world.admin.ok("PUT", f"/users/{person.id}", json=body)
    assert acme.create(body["extern_uid"], f"{person.username}@example.com").status_code == 201
    acme.patch(
        body["extern_uid"],
        {"op": "replace", "path": "userName", "value": "stolen"},
        {"op": "replace", "path": 'emails[type eq "work"].value', "value": "thief@evil.example"},
        {"op": "replace", "path": "name.formatted", "value": "Stolen"},
    )
    after = account(world, person.id)
    assert (after["username"], after["email"]) == (person.username, f"{person.username}@example.com")
    assert after["name"] != "Stolen"


def test_a_made_account_cannot_take_somebodys_address_later(world: World, acme: ScimGroup) -> None:
    victim, uid = world.user(), world.name("mover")
    assert acme.create(uid).status_code == 201
    operation = {"op": "replace", "path": "emails", "value": [{"value": f"{victim.username}@example.com"}]}
    assert refusal(acme.patch(uid, operation))[0] == 409
    assert acme.person(uid)["email"] == f"{uid}@scim.example"


def test_the_last_owner_stays(world: World, acme: ScimGroup) -> None:
    owner = acme.org.owner
    body = {"provider": "group_saml", "extern_uid": "the-owner", "group_id_for_saml": acme.org.id}
    world.admin.ok("PUT", f"/users/{owner.id}", json=body)
    assert acme.create("the-owner", f"{owner.username}@example.com").status_code == 201
    assert acme.delete("the-owner").status_code == 412
    assert acme.patch("the-owner", {"op": "replace", "path": "active", "value": False}).status_code == 412
    assert acme.level(owner.id) == 50


INJECTIONS = [
    'userName eq "x" or 1=1', "userName eq \"x' or '1'='1\"", 'userName eq "%"', 'userName eq "_"', 'userName co "a"',
    'password eq "x"', 'userName eq "\\u0000"', 'userName eq "\\ud800"', "userName eq " + "a" * 3000,
    'a[b eq "c"].d eq "e"', 'userName eq "' + "\\\\" * 900, "(" * 1000, 'userName eq "x"; drop table users',
    'not (userName eq "a")',
]  # fmt: skip


@pytest.mark.parametrize("text", INJECTIONS, ids=range(len(INJECTIONS)))
def test_filters_find_nobody_else(world: World, acme: ScimGroup, other: ScimGroup, text: str) -> None:
    other.create(world.name("hidden"))
    answer = acme.request("GET", params={"filter": text})
    assert answer.status_code in (200, 400), answer.text
    if answer.status_code == 200:
        assert answer.json()["totalResults"] == 0


def test_lists_show_only_the_groups_own_people(world: World, acme: ScimGroup, other: ScimGroup) -> None:
    other.create(world.name("hidden"))
    shown = acme.request("GET", params={"count": "100"}).json()
    with world.server.services.db.read() as conn:
        mine = select(func.count()).select_from(scim_identities).where(scim_identities.c.group_id == acme.org.id)
        assert shown["totalResults"] == conn.execute(mine).scalar_one()
    assert "hidden" not in str(shown)


BODIES = {
    "a NUL": b'{"externalId": "a\\u0000b", "userName": "x", "emails": [{"value": "a@b.example"}]}',
    "half a pair": b'{"externalId": "\\ud800", "userName": "x", "emails": [{"value": "a@b.example"}]}',
    "deep": b'{"externalId":' + b"[" * 5000 + b"]" * 5000 + b"}",
    "a long name": b'{"externalId": "' + b"x" * 5000 + b'", "userName": "x", "emails": [{"value": "a@b.example"}]}',
    "many keys": b"{" + b",".join(b'"k%d":1' % number for number in range(60_000)) + b"}",
    "too large": b'{"x": "' + b"x" * 1_100_000 + b'"}',
    "a list": b"[1]",
    "no JSON": b"{",
    "grown in lower case": (
        '{"externalId": "' + "\u0130" * 255 + '", "userName": "x", "emails": [{"value": "grown@b.example"}]}'
    ).encode(),
}


@pytest.mark.parametrize("body", BODIES)
def test_odd_bodies_are_refused(world: World, acme: ScimGroup, body: str) -> None:
    headers = {"Content-Type": "application/scim+json"}
    begin = time.process_time()
    answer = acme.request("POST", content=BODIES[body], headers=headers)
    work = time.process_time() - begin
    assert answer.status_code in (400, 413, 422), answer.text
    assert work < 5 * slowness()  # seconds of the processor
    with world.server.services.db.read() as conn:
        created = select(func.count()).select_from(users).where(users.c.email_lower.endswith("@b.example"))
        assert conn.execute(created).scalar_one() == 0


def test_thousands_of_operations_are_refused(acme: ScimGroup, world: World) -> None:
    uid = world.name("busy")
    acme.create(uid)
    one = {"op": "replace", "path": "active", "value": True}
    assert acme.patch(uid, *([one] * 1001)).status_code == 400


def test_a_replaced_token_is_dead_at_once(world: World) -> None:
    group = make_scim_group(world)
    assert group.request("GET").status_code == 200
    group.org.owner.client.ok("POST", f"/groups/{group.org.id}/scim_token")
    assert group.request("GET").status_code == 401


def test_tokens_are_stored_as_digests_and_shown_once(world: World, acme: ScimGroup) -> None:
    shown = acme.org.owner.client.get(f"/groups/{acme.org.id}/scim_token").text
    assert acme.token not in shown
    with world.server.services.db.read() as conn:
        rows = conn.exec_driver_sql("select * from scim_tokens").all()
    assert acme.token not in str(rows)


def test_a_name_with_markup_stays_text(world: World, acme: ScimGroup) -> None:
    uid = world.name("markup")
    assert acme.create(uid, name={"formatted": "<script>alert(1)</script>"}, schemas=[USER]).status_code == 201
    answer = acme.request("GET", f"/{quote(uid)}")
    assert answer.headers["content-type"] == "application/scim+json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "no-store"
