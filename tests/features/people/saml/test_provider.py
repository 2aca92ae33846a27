"""The identity provider of a group."""

import pytest
from lxml import etree

from ingot.features.spaces.groups.commands.delete import delete_rows
from tests.features.people.saml.identity_provider import key_pair
from tests.features.people.saml.organisation import Organisation, make_organisation
from tests.support import plain_http
from tests.support.world import World

CERTIFICATE = key_pair("idp")[1]
PRINT = "AB:" * 31 + "AB"
SETTINGS = {"sso_url": "https://idp.example/sso", "certificate": CERTIFICATE}


def path(org: Organisation) -> str:
    return f"/groups/{org.id}/saml_provider"


def test_an_owner_configures_reads_changes_and_removes_the_provider(org: Organisation) -> None:
    client = org.owner.client

    created = client.put(path(org), json={**SETTINGS, "default_membership_role": 20, "enforced_sso": True})
    assert created.status_code == 200
    base = f"{org.world.server.url}/groups/{org.path}"
    body = created.json()
    assert body["enabled"] is True
    assert (body["sso_url"], body["default_membership_role"], body["enforced_sso"]) == (SETTINGS["sso_url"], 20, True)
    assert body["certificate"] == CERTIFICATE
    assert len(body["certificate_fingerprint"]) == 95
    assert (body["issuer"], body["assertion_consumer_service_url"]) == (base, f"{base}/-/saml/callback")
    assert (body["metadata_url"], body["sign_in_url"]) == (f"{base}/-/saml/metadata", f"{base}/-/saml/sso")

    changed = client.ok("PUT", path(org), json={"enabled": False})
    assert changed == {**body, "enabled": False, "updated_at": changed["updated_at"]}
    assert client.ok("GET", path(org)) == changed

    assert client.delete(path(org)).status_code == 204
    gone = client.get(path(org))
    assert (gone.status_code, gone.json()) == (404, {"message": "404 SAML Provider Not Found"})
    assert client.delete(path(org)).status_code == 404


def test_a_new_certificate_replaces_an_old_fingerprint_and_back(org: Organisation) -> None:
    client = org.owner.client
    first = client.ok("PUT", path(org), json={"sso_url": "https://x.example", "certificate_fingerprint": "ab" * 32})
    assert (first["certificate"], first["certificate_fingerprint"]) == (None, PRINT)

    second = client.ok("PUT", path(org), json={"certificate": CERTIFICATE})
    assert second["certificate"] == CERTIFICATE
    assert second["certificate_fingerprint"] != PRINT

    third = client.ok("PUT", path(org), json={"certificate_fingerprint": PRINT})
    assert (third["certificate"], third["certificate_fingerprint"]) == (None, PRINT)


@pytest.mark.parametrize(
    ("options", "body"),
    [
        ({"certificate": CERTIFICATE}, {"message": {"sso_url": ["must be a http or https URL"]}}),
        ({**SETTINGS, "sso_url": "javascript:alert(1)"}, {"message": {"sso_url": ["must be a http or https URL"]}}),
        ({**SETTINGS, "sso_url": "https://[x"}, {"message": {"sso_url": ["must be a http or https URL"]}}),
        ({"sso_url": "https://x.example"}, {"message": {"certificate_fingerprint": ["can't be blank"]}}),
        ({**SETTINGS, "certificate": "hello"}, {"message": {"certificate": ["is not an X.509 certificate"]}}),
        (
            {"sso_url": "https://x.example", "certificate_fingerprint": "abc"},
            {
                "message": {
                    "certificate_fingerprint": ["is not a SHA-1 or SHA-256 fingerprint in hexadecimal"],
                }
            },
        ),
        (
            {**SETTINGS, "certificate_fingerprint": PRINT},
            {"message": {"certificate_fingerprint": ["does not belong to the certificate"]}},
        ),
        ({**SETTINGS, "default_membership_role": 7}, {"error": "default_membership_role does not have a valid value"}),
        ({**SETTINGS, "enabled": "perhaps"}, {"error": "enabled is invalid"}),
    ],
)
def test_bad_settings_are_refused(org: Organisation, options: dict, body: dict) -> None:
    answer = org.owner.client.put(path(org), json=options)
    assert (answer.status_code, answer.json()) == (400, body)
    assert org.owner.client.get(path(org)).status_code == 404


@pytest.mark.parametrize(
    ("caller", "status"),
    [("admin", 200), ("maintainer", 403), ("stranger", 404), ("anonymous", 401)],
)
def test_only_owners_and_administrators_see_it(org: Organisation, caller: str, status: int) -> None:
    org.owner.client.ok("PUT", path(org), json=SETTINGS)
    client = org.callers[caller]
    assert client.get(path(org)).status_code == status
    assert client.put(path(org), json=SETTINGS).status_code == status
    if status != 200:
        assert client.delete(path(org)).status_code == status


def test_a_subgroup_has_no_provider_of_its_own(org: Organisation) -> None:
    below = org.subgroup("team")
    answer = org.owner.client.put(f"/groups/{below}/saml_provider", json=SETTINGS)
    assert answer.status_code == 400
    assert "top-level" in answer.json()["message"]


def test_metadata_is_public_once_there_is_a_provider(world: World, org: Organisation) -> None:
    url = f"{world.server.url}/groups/{org.path}/-/saml/metadata"
    assert plain_http.get(url).status_code == 404

    org.owner.client.ok("PUT", path(org), json=SETTINGS)

    answer = plain_http.get(url)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("application/samlmetadata+xml")
    assert etree.fromstring(answer.content).get("entityID") == f"{world.server.url}/groups/{org.path}"


def test_a_disabled_provider_sends_nobody_anywhere(world: World) -> None:
    org = make_organisation(world)
    org.owner.client.ok("PUT", path(org), json={**SETTINGS, "enabled": False})
    assert plain_http.get(f"{world.server.url}/groups/{org.path}/-/saml/sso").status_code == 404
    posted = plain_http.post(f"{world.server.url}/groups/{org.path}/-/saml/callback", data={"SAMLResponse": "x"})
    assert posted.status_code == 404


def test_a_group_with_a_provider_does_not_move_below_another(world: World) -> None:
    org, other = make_organisation(world), make_organisation(world)
    org.owner.client.ok("PUT", path(org), json=SETTINGS)
    transfer = f"/groups/{org.id}/transfer"

    refused = world.admin.post(transfer, json={"group_id": other.id})

    text = "Transfer failed: SAML Provider or SCIM Token is configured for this group."
    assert (refused.status_code, refused.json()) == (400, {"message": text})
    assert org.owner.client.delete(path(org)).status_code == 204
    world.admin.ok("POST", transfer, json={"group_id": other.id})
    assert org.owner.client.get(path(org)).status_code == 404
    assert plain_http.get(f"{world.server.url}/groups/{other.path}/{org.path}/-/saml/sso").status_code == 404
    assert org.owner.client.get(f"/groups/{org.id}/saml_group_links").status_code == 200


def test_a_deleted_group_takes_its_provider_and_identities_along(world: World) -> None:
    org = make_organisation(world)
    org.owner.client.ok("PUT", path(org), json=SETTINGS)
    body = {"provider": "group_saml", "extern_uid": "gone", "group_id_for_saml": org.id}
    world.admin.ok("PUT", f"/users/{org.maintainer.id}", json=body)

    with world.server.services.db.write() as tx:
        delete_rows(tx, org.id)

    assert world.admin.ok("GET", f"/users/{org.maintainer.id}")["identities"] == []
    assert plain_http.get(f"{world.server.url}/groups/{org.path}/-/saml/metadata").status_code == 404
