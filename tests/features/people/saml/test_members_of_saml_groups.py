"""What SAML and custom roles mean for members of groups and projects."""

from collections.abc import Callable

import pytest

from tests.features.people.saml.conftest import SamlGroup
from tests.features.people.saml.organisation import Organisation
from tests.support.world import World

NOT_LINKED = {"message": {"user": ["is not linked to a SAML account"]}}


def give_identity(org: Organisation, user_id: int, uid: str) -> None:
    body = {"provider": "group_saml", "extern_uid": uid, "group_id_for_saml": org.id}
    org.world.admin.ok("PUT", f"/users/{user_id}", json=body)


def test_an_enforcing_group_admits_only_people_with_an_identity(
    world: World, make_saml_group: Callable[..., SamlGroup]
) -> None:
    org = make_saml_group(enforced_sso=True).org
    below = org.subgroup("team")
    project = world.project(org.owner, namespace_id=org.id)
    person = world.user()
    body = {"user_id": person.id, "access_level": 30}
    paths = [f"/groups/{org.id}/members", f"/groups/{below}/members", f"/projects/{project['id']}/members"]

    for path in paths:
        answer = org.owner.client.post(path, json=body)
        assert (answer.status_code, answer.json()) == (400, NOT_LINKED)

    give_identity(org, person.id, "known")
    for path in paths:
        assert org.owner.client.post(path, json=body).status_code == 201


@pytest.mark.parametrize("settings", [{"enforced_sso": False}, {"enforced_sso": True, "enabled": False}])
def test_a_group_that_does_not_enforce_admits_everybody(
    world: World, make_saml_group: Callable[..., SamlGroup], settings: dict[str, bool]
) -> None:
    org = make_saml_group(**settings).org
    body = {"user_id": world.user().id, "access_level": 30}
    assert org.owner.client.post(f"/groups/{org.id}/members", json=body).status_code == 201


def test_owners_see_the_identities_of_members(world: World, make_saml_group: Callable[..., SamlGroup]) -> None:
    org = make_saml_group().org
    give_identity(org, org.maintainer.id, "m-1")
    path = f"/groups/{org.id}/members"

    for client in (org.owner.client, world.admin):
        shown = {one["id"]: one["group_saml_identity"] for one in client.ok("GET", path)}
        assert shown[org.owner.id] is None
        assert shown[org.maintainer.id]["extern_uid"] == "m-1"
        assert shown[org.maintainer.id]["provider"] == "group_saml"
    assert all("group_saml_identity" not in one for one in org.maintainer.client.ok("GET", path))


def test_without_a_provider_nobody_sees_identities(org: Organisation) -> None:
    members = org.owner.client.ok("GET", f"/groups/{org.id}/members")
    assert all("group_saml_identity" not in one for one in members)


def test_members_may_have_a_custom_role(org: Organisation) -> None:
    client = org.owner.client
    role = client.ok("POST", f"/groups/{org.id}/member_roles", json={"name": "r", "base_access_level": 20})
    path = f"/groups/{org.id}/members"
    body = {"user_id": org.stranger.id, "access_level": 20, "member_role_id": role["id"]}

    created = client.ok("POST", path, json=body)

    assert created["member_role"] == role
    one = f"{path}/{org.stranger.id}"
    assert client.ok("GET", one)["member_role"]["id"] == role["id"]
    # Another expiry keeps the role, another level ends it.
    remaining = client.ok("PUT", one, json={"access_level": 20, "expires_at": "2999-01-01"})
    assert remaining["member_role"]["id"] == role["id"]
    assert "member_role" not in client.ok("PUT", one, json={"access_level": 30})
    again = client.ok("PUT", one, json={"access_level": 20, "member_role_id": role["id"]})
    assert again["member_role"]["id"] == role["id"]
    assert "member_role" not in client.ok("PUT", one, json={"access_level": 20, "member_role_id": None})


def test_a_custom_role_must_fit_group_and_level(org: Organisation) -> None:
    client = org.owner.client
    role = client.ok("POST", f"/groups/{org.id}/member_roles", json={"name": "r", "base_access_level": 20})
    path = f"/groups/{org.id}/members"
    other_level = client.post(path, json={"user_id": org.stranger.id, "access_level": 30, "member_role_id": role["id"]})
    assert other_level.status_code == 400
    assert "member_role_id" in other_level.json()["message"]
    unknown = client.post(path, json={"user_id": org.stranger.id, "access_level": 20, "member_role_id": 999999})
    assert unknown.status_code == 400
    assert "member_role" in unknown.json()["message"]
