"""SAML identities of a group."""

from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote

import gitlab
import pytest
from sqlalchemy import insert, select

from ingot.features.people.saml.tables import saml_providers
from ingot.identity.tables import identities
from ingot.kit.clock import now
from tests.features.people.saml.organisation import Organisation, make_organisation
from tests.support.world import Person, World

SETTINGS = {"sso_url": "https://idp.example/sso", "certificate_fingerprint": "ab" * 20}


@pytest.fixture
def acme(world: World) -> Organisation:
    """A group with a provider."""
    org = make_organisation(world)
    org.owner.client.ok("PUT", f"/groups/{org.id}/saml_provider", json=SETTINGS)
    return org


def link(org: Organisation, person: Person, uid: str) -> None:
    moment = now()
    with org.world.server.services.db.write() as tx:
        provider_id = tx.execute(select(saml_providers.c.id).where(saml_providers.c.group_id == org.id)).scalar_one()
        tx.execute(
            insert(identities).values(
                user_id=person.id, provider="group_saml", extern_uid=uid, extern_uid_lower=uid.lower(),
                saml_provider_id=provider_id, created_at=moment, updated_at=moment,
            )
        )  # fmt: skip


def at(org: Organisation, uid: str) -> str:
    return f"/groups/{org.id}/saml/{quote(uid, safe='')}"


def test_identities_are_listed(acme: Organisation) -> None:
    link(acme, acme.owner, "owner-uid")
    link(acme, acme.maintainer, "be20d8dcc028677c931e04f387")

    answer = acme.owner.client.get(f"/groups/{acme.id}/saml/identities")

    assert answer.status_code == 200
    assert answer.json() == [
        {"extern_uid": "owner-uid", "user_id": acme.owner.id},
        {"extern_uid": "be20d8dcc028677c931e04f387", "user_id": acme.maintainer.id},
    ]


def test_the_word_identities_is_the_list_and_not_a_uid(acme: Organisation) -> None:
    link(acme, acme.owner, "identities")
    assert isinstance(acme.owner.client.get(f"/groups/{acme.id}/saml/identities").json(), list)


@pytest.mark.parametrize(
    "uid", ["plain", "a.b@c.example", "with space", "path/like/uid", "ünï-çødé-名", "per%cent", "a.json", "x?y#z"]
)
def test_one_identity_whatever_its_characters(acme: Organisation, uid: str) -> None:
    link(acme, acme.maintainer, uid)
    client = acme.owner.client

    assert client.get(at(acme, uid)).json() == {"extern_uid": uid, "user_id": acme.maintainer.id}

    changed = client.patch(at(acme, uid), data={"extern_uid": uid + "2"})
    assert (changed.status_code, changed.json()) == (200, {"extern_uid": uid + "2", "user_id": acme.maintainer.id})
    assert client.get(at(acme, uid)).status_code == 404

    removed = client.delete(at(acme, uid + "2"))
    assert (removed.status_code, removed.content) == (204, b"")
    assert client.get(at(acme, uid + "2")).status_code == 404
    # The person and the membership stay.
    assert acme.maintainer.client.get(f"/groups/{acme.id}/saml/identities").status_code == 403


def test_a_uid_matches_by_its_exact_text(acme: Organisation) -> None:
    link(acme, acme.owner, "CaseUid")
    for call in ("GET", "PATCH", "DELETE"):
        answer = acme.owner.client.request(call, at(acme, "caseuid"), json={"extern_uid": "x"})
        assert (answer.status_code, answer.json()) == (404, {"message": "404 Identity Not Found"})


@pytest.mark.parametrize(
    ("options", "body"),
    [
        ({}, {"error": "extern_uid is missing"}),
        ({"other": "x"}, {"error": "extern_uid is missing"}),
        ({"extern_uid": ""}, {"message": "SAML NameID can't be blank"}),
        ({"extern_uid": "  "}, {"message": "SAML NameID can't be blank"}),
        ({"extern_uid": "taken"}, {"message": "Extern uid has already been taken"}),
        ({"extern_uid": "TAKEN"}, {"message": "Extern uid has already been taken"}),
        ({"extern_uid": "a" * 256}, {"message": "Extern uid is too long (maximum is 255 characters)"}),
        ({"extern_uid": ["x"]}, {"error": "extern_uid is invalid"}),
    ],
)
def test_bad_names_are_refused(acme: Organisation, options: dict, body: dict) -> None:
    link(acme, acme.owner, "mine")
    link(acme, acme.maintainer, "Taken")

    answer = acme.owner.client.patch(at(acme, "mine"), json=options)

    assert (answer.status_code, answer.json()) == (400, body)
    assert acme.owner.client.get(at(acme, "mine")).status_code == 200


def test_a_name_may_change_its_case_and_be_used_at_another_provider(world: World, acme: Organisation) -> None:
    other = make_organisation(world)
    other.owner.client.ok("PUT", f"/groups/{other.id}/saml_provider", json=SETTINGS)
    link(other, other.owner, "same")
    link(acme, acme.owner, "mine")
    client = acme.owner.client

    assert client.ok("PATCH", at(acme, "mine"), json={"extern_uid": "MINE"})["extern_uid"] == "MINE"
    assert client.ok("PATCH", at(acme, "MINE"), json={"extern_uid": "same"})["extern_uid"] == "same"
    assert client.get(at(acme, "mine")).status_code == 404


def test_of_simultaneous_changes_to_one_name_one_wins(world: World, acme: Organisation) -> None:
    people = [world.user() for _ in range(6)]
    for person in people:
        link(acme, person, f"uid-{person.id}")

    def change(person: Person) -> int:
        client = acme.world.server.client(acme.owner.token)
        return client.patch(at(acme, f"uid-{person.id}"), json={"extern_uid": "wanted"}).status_code

    with ThreadPoolExecutor(6) as pool:
        assert sorted(pool.map(change, people)) == [200] + [400] * 5


def test_other_attributes_are_ignored(acme: Organisation) -> None:
    link(acme, acme.owner, "mine")
    body = {"extern_uid": "new", "user_id": 1, "provider": "x"}
    assert acme.owner.client.ok("PATCH", at(acme, "mine"), json=body) == {"extern_uid": "new", "user_id": acme.owner.id}


def test_without_a_provider_the_list_is_a_bad_request_and_single_ones_are_not_found(org: Organisation) -> None:
    below = org.subgroup("team")
    for group_id in (org.id, below):
        listed = org.owner.client.get(f"/groups/{group_id}/saml/identities")
        assert (listed.status_code, listed.json()) == (400, {"message": "400 Bad request"})
        for call in ("GET", "PATCH", "DELETE"):
            single = org.owner.client.request(call, f"/groups/{group_id}/saml/x", json={"extern_uid": "y"})
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
    acme: Organisation, caller: str, status: int, body: str
) -> None:
    link(acme, acme.owner, "mine")
    client = acme.callers[caller]
    for call, path in (
        ("GET", f"/groups/{acme.id}/saml/identities"),
        ("GET", at(acme, "mine")),
        ("PATCH", at(acme, "mine")),
        ("DELETE", at(acme, "mine")),
    ):
        answer = client.request(call, path)
        assert (answer.status_code, answer.json()) == (status, {"message": body})


def test_a_stranger_who_sees_the_group_is_forbidden(world: World, acme: Organisation) -> None:
    acme.owner.client.ok("PUT", f"/groups/{acme.id}", json={"visibility": "public"})
    for client, status in ((acme.stranger.client, 403), (world.anonymous, 401)):
        assert client.get(f"/groups/{acme.id}/saml/identities").status_code == status
        assert client.get(at(acme, "x")).status_code == status
        assert client.patch(at(acme, "x"), json={"extern_uid": "y"}).status_code == status
        assert client.delete(at(acme, "x")).status_code == status


def test_administrators_manage_every_groups_identities(acme: Organisation) -> None:
    link(acme, acme.owner, "mine")
    admin = acme.world.admin
    assert len(admin.ok("GET", f"/groups/{acme.path}/saml/identities")) == 1
    assert admin.ok("PATCH", at(acme, "mine"), json={"extern_uid": "new"})["extern_uid"] == "new"
    assert admin.delete(at(acme, "new")).status_code == 204


def test_an_unknown_group_is_not_found(acme: Organisation) -> None:
    answer = acme.owner.client.get("/groups/999999/saml/identities")
    assert (answer.status_code, answer.json()) == (404, {"message": "404 Group Not Found"})


def test_removing_the_provider_removes_its_identities(acme: Organisation) -> None:
    link(acme, acme.owner, "mine")
    acme.owner.client.delete(f"/groups/{acme.id}/saml_provider")
    acme.owner.client.ok("PUT", f"/groups/{acme.id}/saml_provider", json=SETTINGS)
    assert acme.owner.client.ok("GET", f"/groups/{acme.id}/saml/identities") == []


def test_python_gitlab_reaches_identities(acme: Organisation) -> None:
    link(acme, acme.maintainer, "a/b")
    with gitlab.Gitlab(acme.world.server.url, private_token=acme.owner.token) as client:
        assert client.http_list(f"/groups/{acme.id}/saml/identities", get_all=True) == [
            {"extern_uid": "a/b", "user_id": acme.maintainer.id}
        ]
        assert client.http_get(at(acme, "a/b"))["user_id"] == acme.maintainer.id
        client.http_delete(at(acme, "a/b"))
        with pytest.raises(gitlab.GitlabHttpError, match="404 Identity Not Found"):
            client.http_get(at(acme, "a/b"))
