"""SCIM identities of a group, as owners look after them."""

from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote

import gitlab
import pytest

from ingot.features.spaces.groups.commands.delete import delete_rows
from tests.features.people.saml.organisation import Organisation
from tests.features.people.scim.provider_side import ScimGroup, make_scim_group
from tests.support.world import World


def at(group: ScimGroup, uid: str) -> str:
    return f"/groups/{group.org.id}/scim/{quote(uid, safe='')}"


def test_identities_are_listed_with_their_state(acme: ScimGroup) -> None:
    assert acme.org.owner.client.ok("GET", f"/groups/{acme.org.id}/scim/identities") == []
    acme.create("l-one")
    acme.create("l-two")
    acme.delete("l-two")

    listed = acme.org.owner.client.ok("GET", f"/groups/{acme.org.id}/scim/identities")

    assert listed == [
        {"extern_uid": "l-one", "user_id": acme.person("l-one")["id"], "active": True},
        {"extern_uid": "l-two", "user_id": acme.person("l-two")["id"], "active": False},
    ]


def test_the_word_identities_is_the_list_and_not_a_uid(acme: ScimGroup) -> None:
    acme.create("identities", "word@scim.example")
    assert isinstance(acme.org.owner.client.get(f"/groups/{acme.org.id}/scim/identities").json(), list)


@pytest.mark.parametrize(
    "uid", ["plain", "a.b@c.example", "with space", "path/like/uid", "ünï-çødé-名", "per%cent", "a.json", "x?y#z"]
)
def test_one_identity_whatever_its_characters(world: World, acme: ScimGroup, uid: str) -> None:
    created = acme.create(uid, f"{world.name('chars')}@scim.example")
    assert (created.status_code, created.json()["id"]) == (201, uid)
    assert acme.get(uid).json()["id"] == uid
    user_id = acme.identity(uid)["user_id"]
    client = acme.org.owner.client

    changed = client.patch(at(acme, uid), data={"extern_uid": uid + "2"})
    assert (changed.status_code, changed.json()) == (
        200,
        {"extern_uid": uid + "2", "user_id": user_id, "active": True},
    )
    assert client.get(at(acme, uid)).json() == {"message": "404 Identity Not Found"}
    removed = client.delete(at(acme, uid + "2"))
    assert (removed.status_code, removed.content) == (204, b"")
    assert client.get(at(acme, uid + "2")).status_code == 404
    # The person, the membership and the SAML identity stay.
    assert acme.level(user_id) == 20
    assert client.get(f"/groups/{acme.org.id}/saml/{quote(uid, safe='')}").status_code == 200


@pytest.mark.parametrize(
    ("options", "body"),
    [
        ({}, {"error": "extern_uid is missing"}),
        ({"extern_uid": ""}, {"message": "Extern uid can't be blank"}),
        ({"extern_uid": "  "}, {"message": "Extern uid can't be blank"}),
        ({"extern_uid": None}, {"message": "Extern uid can't be blank"}),
        ({"extern_uid": "TAKEN"}, {"message": "Extern uid has already been taken"}),
        ({"extern_uid": "a" * 256}, {"message": "Extern uid is too long (maximum is 255 characters)"}),
        ({"extern_uid": ["x"]}, {"error": "extern_uid is invalid"}),
    ],
)
def test_bad_names_are_refused(world: World, acme: ScimGroup, options: dict, body: dict) -> None:
    acme.create("mine", f"{world.name('mine')}@scim.example")
    acme.create("Taken", f"{world.name('taken')}@scim.example")

    answer = acme.org.owner.client.patch(at(acme, "mine"), json=options)

    assert (answer.status_code, answer.json()) == (400, body)
    assert acme.org.owner.client.get(at(acme, "mine")).status_code == 200


def test_a_uid_matches_by_its_exact_text_and_only_in_its_group(world: World, acme: ScimGroup) -> None:
    other = make_scim_group(world)
    acme.create("CaseUid", f"{world.name('case')}@scim.example")
    for group, uid in ((acme, "caseuid"), (other, "CaseUid")):
        for method in ("GET", "PATCH", "DELETE"):
            answer = group.org.owner.client.request(method, at(group, uid), json={"extern_uid": "x"})
            assert (answer.status_code, answer.json()) == (404, {"message": "404 Identity Not Found"})


def test_of_simultaneous_changes_to_one_name_one_wins(world: World, acme: ScimGroup) -> None:
    uids = [world.name("race") for _ in range(5)]
    for uid in uids:
        acme.create(uid)

    def change(uid: str) -> int:
        client = world.server.client(acme.org.owner.token)
        return client.patch(at(acme, uid), json={"extern_uid": "wanted"}).status_code

    with ThreadPoolExecutor(5) as pool:
        assert sorted(pool.map(change, uids)) == [200] + [400] * 4


def test_without_a_provider_the_list_is_a_bad_request_and_single_ones_are_not_found(org: Organisation) -> None:
    for group_id in (org.id, org.subgroup("team")):
        listed = org.owner.client.get(f"/groups/{group_id}/scim/identities")
        assert (listed.status_code, listed.json()) == (400, {"message": "400 Bad request"})
        for method in ("GET", "PATCH", "DELETE"):
            single = org.owner.client.request(method, f"/groups/{group_id}/scim/x", json={"extern_uid": "y"})
            assert (single.status_code, single.json()) == (404, {"message": "404 Identity Not Found"})


@pytest.mark.parametrize(
    ("caller", "status", "body"),
    [
        ("maintainer", 403, "403 Forbidden"),
        ("stranger", 404, "404 Group Not Found"),
        ("anonymous", 401, "401 Unauthorized"),
    ],
)
def test_others_are_refused_before_their_parameters_are_looked_at(
    acme: ScimGroup, caller: str, status: int, body: str
) -> None:
    client = acme.org.callers[caller]
    for method, path in (
        ("GET", f"/groups/{acme.org.id}/scim/identities"),
        ("GET", at(acme, "mine")),
        ("PATCH", at(acme, "mine")),
        ("DELETE", at(acme, "mine")),
    ):
        answer = client.request(method, path)
        assert (answer.status_code, answer.json()) == (status, {"message": body})


def test_administrators_manage_every_groups_identities(world: World, acme: ScimGroup) -> None:
    acme.create("adm", f"{world.name('adm')}@scim.example")
    assert len(world.admin.ok("GET", f"/groups/{acme.org.path}/scim/identities")) == 1
    assert world.admin.ok("PATCH", at(acme, "adm"), json={"extern_uid": "new"})["extern_uid"] == "new"
    assert world.admin.delete(at(acme, "new")).status_code == 204


def test_accounts_and_members_show_their_identity(world: World, acme: ScimGroup) -> None:
    uid = world.name("shown")
    acme.create(uid)
    user_id = acme.identity(uid)["user_id"]
    shown = {"extern_uid": uid, "group_id": acme.org.id, "active": True}

    assert world.admin.ok("GET", f"/users/{user_id}")["scim_identities"] == [shown]
    assert "scim_identities" not in acme.org.maintainer.client.ok("GET", f"/users/{user_id}")
    [listed] = world.admin.ok("GET", f"/users?username={uid}")
    assert listed["scim_identities"] == [shown]
    assert acme.org.owner.client.ok("GET", "/user")["scim_identities"] == []

    below = acme.org.subgroup("team")
    for group_id in (acme.org.id, below):
        members = acme.org.owner.client.ok("GET", f"/groups/{group_id}/members/all")
        by_id = {one["id"]: one for one in members}
        assert by_id[user_id]["group_scim_identity"] == shown
        assert by_id[acme.org.maintainer.id]["group_scim_identity"] is None
    members = acme.org.maintainer.client.ok("GET", f"/groups/{acme.org.id}/members")
    assert all("group_scim_identity" not in one for one in members)


def test_python_gitlab_reaches_identities(world: World, acme: ScimGroup) -> None:
    acme.create("a/b", f"{world.name('slash')}@scim.example")
    with gitlab.Gitlab(world.server.url, private_token=acme.org.owner.token) as client:
        assert client.http_get(at(acme, "a/b"))["active"] is True
        client.http_delete(at(acme, "a/b"))
        with pytest.raises(gitlab.GitlabHttpError, match="404 Identity Not Found"):
            client.http_get(at(acme, "a/b"))


def test_identities_leave_with_the_person_and_with_the_group(world: World, acme: ScimGroup) -> None:
    gone, stays = world.name("gone"), world.name("stays")
    acme.create(gone)
    acme.create(stays)
    person = acme.person(stays)

    assert world.admin.delete(f"/users/{acme.identity(gone)['user_id']}").status_code == 204
    world.server.run_jobs()
    assert acme.get(gone).status_code == 404
    assert [one["id"] for one in acme.request("GET").json()["Resources"]] == [stays]

    with world.server.services.db.write() as tx:
        delete_rows(tx, acme.org.id)
    assert acme.get(stays).status_code == 401
    assert world.admin.ok("GET", f"/users/{person['id']}")["scim_identities"] == []
