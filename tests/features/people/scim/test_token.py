"""The token that an owner makes for the identity provider."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select

from ingot.features.people.scim.tables import scim_tokens
from tests.features.people.saml.organisation import Organisation
from tests.features.people.scim.provider_side import SETTINGS, ScimGroup, refusal
from tests.support.world import World


def path(org: Organisation) -> str:
    return f"/groups/{org.id}/scim_token"


def test_a_token_is_shown_once_and_kept_as_a_digest(acme: ScimGroup) -> None:
    assert acme.token.startswith("glsoat-")
    seen = acme.org.owner.client.ok("GET", path(acme.org))
    assert set(seen) == {"scim_api_url", "created_at"}
    with acme.org.world.server.services.db.read() as conn:
        row = conn.execute(select(scim_tokens).where(scim_tokens.c.group_id == acme.org.id)).one()
    assert acme.token not in str(row)


def test_a_new_token_ends_the_former_one_and_revoking_ends_both(acme: ScimGroup) -> None:
    client = acme.org.owner.client
    assert acme.request("GET").status_code == 200

    again = client.post(path(acme.org))
    assert again.status_code == 201
    assert refusal(acme.request("GET")) == (401, "Unauthorized")
    acme.token = again.json()["token"]
    assert acme.request("GET").status_code == 200

    assert client.delete(path(acme.org)).status_code == 204
    assert acme.request("GET").status_code == 401
    for gone in (client.get(path(acme.org)), client.delete(path(acme.org))):
        assert (gone.status_code, gone.json()) == (404, {"message": "404 SCIM Token Not Found"})


def test_of_tokens_made_at_the_same_moment_one_is_left(acme: ScimGroup) -> None:
    def make(_: int) -> str:
        client = acme.org.world.server.client(acme.org.owner.token)
        return client.ok("POST", path(acme.org))["token"]

    with ThreadPoolExecutor(4) as pool:
        created = list(pool.map(make, range(4)))

    statuses = []
    for acme.token in created:
        statuses.append(acme.request("GET").status_code)
    assert sorted(statuses) == [200, 401, 401, 401]


def test_a_group_without_enabled_saml_has_no_token(org: Organisation) -> None:
    client = org.owner.client
    text = "400 Bad request - SAML sign-in must be configured and enabled for the group"
    assert client.post(path(org)).json() == {"message": text}
    client.ok("PUT", f"/groups/{org.id}/saml_provider", json={**SETTINGS, "enabled": False})
    assert client.post(path(org)).json() == {"message": text}
    below = client.post(f"/groups/{org.subgroup('team')}/scim_token")
    assert (below.status_code, below.json()) == (
        400,
        {"message": "400 Bad request - SAML is configured on the top-level group"},
    )


@pytest.mark.parametrize(("caller", "status"), [("maintainer", 403), ("stranger", 404), ("anonymous", 401)])
def test_only_owners_and_administrators_have_to_do_with_it(acme: ScimGroup, caller: str, status: int) -> None:
    client = acme.org.callers[caller]
    for method in ("GET", "POST", "DELETE"):
        assert client.request(method, path(acme.org)).status_code == status
    assert acme.org.world.admin.get(path(acme.org)).status_code == 200


def test_the_token_opens_nothing_else_and_nothing_else_opens_scim(world: World, acme: ScimGroup) -> None:
    api = world.server.client(acme.token)
    assert api.get("/user").status_code == 401
    assert api.get(f"/groups/{acme.org.id}").status_code == 401

    for headers in (
        {},
        {"Authorization": ""},
        {"Authorization": "Bearer"},
        {"Authorization": f"Basic {acme.token}"},
        {"Authorization": f"Bearer {acme.token}x"},
        {"Authorization": f"Bearer {acme.org.owner.token}"},
        {"Authorization": "", "PRIVATE-TOKEN": acme.org.owner.token},
        {"Authorization": "", "PRIVATE-TOKEN": acme.token},
    ):
        answer = acme.request("GET", headers={"Authorization": "", **headers})
        assert refusal(answer) == (401, "Unauthorized"), headers
        assert answer.headers["www-authenticate"].startswith("Bearer")


def test_scim_ends_while_saml_is_off_and_for_good_with_the_provider(acme: ScimGroup) -> None:
    client = acme.org.owner.client
    acme.create("ann-off")

    client.ok("PUT", f"/groups/{acme.org.id}/saml_provider", json={"enabled": False})
    assert refusal(acme.get("ann-off")) == (404, "SAML sign-in is not enabled for the group")
    client.ok("PUT", f"/groups/{acme.org.id}/saml_provider", json={"enabled": True})
    user_id = acme.person("ann-off")["id"]

    assert client.delete(f"/groups/{acme.org.id}/saml_provider").status_code == 204
    assert acme.get("ann-off").status_code == 401
    account = acme.org.world.admin.ok("GET", f"/users/{user_id}")
    assert (account["scim_identities"], account["identities"], acme.level(user_id)) == ([], [], 20)


def test_a_group_with_a_token_cannot_become_a_subgroup(world: World, acme: ScimGroup) -> None:
    other = world.group(acme.org.owner)
    answer = acme.org.owner.client.post(f"/groups/{acme.org.id}/transfer", json={"group_id": other["id"]})
    assert answer.json() == {"message": "Transfer failed: SAML Provider or SCIM Token is configured for this group."}
