"""SCIM and SAML together: who was provisioned signs in, who was taken out stays out."""

from tests.features.people.saml.signing_in import MakeGroup, about
from tests.features.people.scim.provider_side import ScimGroup, refusal
from tests.support.world import World


def with_scim(world: World, make_saml_group: MakeGroup, **settings: object) -> tuple[object, ScimGroup]:
    group = make_saml_group(**settings)
    created = group.org.owner.client.ok("POST", f"/groups/{group.org.id}/scim_token")
    return group, ScimGroup(group.org, created["scim_api_url"], created["token"])


def test_a_provisioned_person_signs_in_to_the_same_account(world: World, make_saml_group: MakeGroup) -> None:
    group, scim = with_scim(world, make_saml_group)
    uid = world.name("ann")
    scim.create(uid)

    with group.browser() as browser:
        assert group.sign_in(browser, uid, attributes={}).status_code == 303  # no address is needed any more
        assert f"@{uid}" in browser.get("/-/user_settings/personal_access_tokens").text

    assert len(group.org.owner.client.ok("GET", f"/groups/{group.org.id}/saml/identities")) == 1


def test_who_signed_in_first_is_linked_afterwards(world: World, make_saml_group: MakeGroup) -> None:
    group, scim = with_scim(world, make_saml_group)
    name = world.name("bob")
    with group.browser() as browser:
        group.sign_in(browser, "Bob-UID", attributes=about(name))

    created = scim.create("bob-uid")

    assert (created.status_code, created.json()["userName"]) == (201, name)


def test_a_sign_in_does_not_bring_back_whom_the_provider_took_out(world: World, make_saml_group: MakeGroup) -> None:
    group, scim = with_scim(world, make_saml_group, enforced_sso=True)
    uid = world.name("cleo")
    scim.create(uid)
    user_id = scim.identity(uid)["user_id"]
    scim.delete(uid)

    with group.browser() as browser:
        assert group.sign_in(browser, uid, attributes={}).status_code == 303  # the account is still theirs
    assert scim.level(user_id) is None
    refused = group.org.owner.client.post(
        f"/groups/{group.org.id}/members", json={"user_id": user_id, "access_level": 10}
    )
    assert refused.status_code == 400

    scim.create(uid)
    assert scim.level(user_id) == 10


def test_an_account_with_the_address_is_linked_once_its_owner_has_proved_it(
    world: World, make_saml_group: MakeGroup
) -> None:
    group, scim = with_scim(world, make_saml_group)
    person = world.user()
    email = world.admin.ok("GET", f"/users/{person.id}")["email"]
    assert refusal(scim.create("dora", email))[0] == 412

    with group.browser() as browser:
        group.sign_in(browser, "dora", attributes={"email": [email]})
        assert browser.post("/-/saml/link", data={"proof": person.token}).status_code == 303

    assert scim.create("dora", email).json()["userName"] == person.username
    assert scim.identity("dora")["user_id"] == person.id
