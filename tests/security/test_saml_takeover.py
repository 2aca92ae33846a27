"""Hostile identity providers: every group owner can run one, and it must not reach beyond the group."""

import httpx
import pytest
from sqlalchemy import func, select

from ingot.identity.tables import identities, users
from tests.features.people.saml.conftest import SamlGroup, make_saml_group
from tests.features.people.saml.signing_in import TOKENS, MakeGroup, about, counts, person, role
from tests.support.world import World

pytestmark = pytest.mark.costly

__all__ = ["make_saml_group"]


@pytest.fixture
def group(make_saml_group: MakeGroup) -> SamlGroup:
    return make_saml_group()


def arrive(group: SamlGroup, browser: httpx.Client, uid: str, **attributes: list[str]) -> httpx.Response:
    """An unsolicited response that the provider signed."""
    return group.post(browser, group.idp.response(uid, f"{group.saml}/callback", attributes=attributes))


def test_an_administrator_is_not_reached_through_a_group(world: World, group: SamlGroup) -> None:
    """An account that a group's provider can enter becomes an administrator: the provider must not become one."""
    name = world.name("promoted")
    with group.browser() as before:
        assert group.sign_in(before, name, attributes=about(name)).status_code == 303
        world.admin.ok("PUT", f"/users/{person(world, name)['id']}", json={"admin": True})

        assert before.get(TOKENS).status_code == 302
        with group.browser() as browser:
            refused = group.sign_in(browser, name, attributes=about(name))
            assert refused.status_code == 403
            assert "Administrators" in refused.text
            assert not browser.cookies


def test_an_administrators_identity_given_by_hand_opens_nothing(world: World, group: SamlGroup) -> None:
    root = world.admin.ok("GET", "/user")
    body = {"provider": "group_saml", "extern_uid": "root-uid", "group_id_for_saml": group.org.id}
    world.admin.ok("PUT", f"/users/{root['id']}", json=body)
    before = counts(world)

    with group.browser() as browser:
        assert group.sign_in(browser, "root-uid").status_code == 403

    assert counts(world) == before


def test_an_administrators_token_does_not_connect_the_account(world: World, group: SamlGroup) -> None:
    with group.browser() as browser:
        arrive(group, browser, "claims-root", email=["admin@example.com"])
        refused = browser.post("/-/saml/link", data={"proof": world.admin.token})
        assert refused.status_code == 403
    with world.server.services.db.read() as conn:
        linked = select(func.count()).select_from(identities).where(identities.c.extern_uid == "claims-root")
        assert conn.execute(linked).scalar_one() == 0


def test_tokens_that_others_made_prove_nothing(world: World, group: SamlGroup) -> None:
    """An administrator's impersonation token and a project's bot do not show who sits there."""
    victim = world.user()
    impersonation = world.token(victim.id, ["api"], impersonation=True)
    owner = world.user()
    project = world.project(owner)
    body = {"name": "bot", "scopes": ["api"], "access_level": 40, "expires_at": "2027-01-01"}
    bot = owner.client.ok("POST", f"/projects/{project['id']}/access_tokens", json=body)["token"]
    with group.browser() as browser:
        arrive(group, browser, "uid", email=[f"{victim.username}@example.com"])
        for token in (impersonation, bot):
            assert browser.post("/-/saml/link", data={"proof": token}).status_code == 403
        assert browser.post("/-/saml/link", data={"proof": victim.token}).status_code == 303


def test_a_proof_comes_too_late_when_the_provider_is_switched_off(world: World, group: SamlGroup) -> None:
    known = world.user()
    with group.browser() as browser:
        arrive(group, browser, "late", email=[f"{known.username}@example.com"])
        group.org.owner.client.ok("PUT", f"/groups/{group.org.id}/saml_provider", json={"enabled": False})
        assert browser.post("/-/saml/link", data={"proof": known.token}).status_code == 403
    assert role(world, group.org.id, known.id) is None


def test_the_page_that_connects_says_who_is_trusted(world: World, group: SamlGroup) -> None:
    known = world.user()
    with group.browser() as browser:
        arrive(group, browser, "warned", email=[f"{known.username}@example.com"])
        assert "can then sign in as you" in browser.get("/-/saml/link").text


@pytest.mark.parametrize("spelling", ["{}@EXAMPLE.com", " {}@example.com ", "{}@example.com\u00a0"])
def test_no_spelling_of_an_address_enters_its_account(world: World, group: SamlGroup, spelling: str) -> None:
    victim = world.user()
    with group.browser() as browser:
        arrive(group, browser, world.name("uid"), email=[spelling.format(victim.username)])
        assert f"@{victim.username}<" not in browser.get(TOKENS).text
    assert role(world, group.org.id, victim.id) is None


def test_one_groups_identity_opens_nothing_in_another(world: World, make_saml_group: MakeGroup) -> None:
    """Two groups, two providers with the same name for different people."""
    first, second = make_saml_group(), make_saml_group()
    name, other = world.name("one"), world.name("two")
    with first.browser() as browser:
        assert first.sign_in(browser, "shared-uid", attributes=about(name)).status_code == 303
    with second.browser() as browser:
        assert second.sign_in(browser, "shared-uid", attributes=about(other)).status_code == 303
        assert f"@{other}<" in browser.get(TOKENS).text
    assert role(world, first.org.id, person(world, other)["id"]) is None
    assert role(world, second.org.id, person(world, name)["id"]) is None


def test_group_names_in_an_assertion_change_no_other_group(world: World, make_saml_group: MakeGroup) -> None:
    """Links count only below the group whose provider speaks."""
    first, second = make_saml_group(), make_saml_group()
    link = {"saml_group_name": "owners", "access_level": 50}
    second.org.owner.client.ok("POST", f"/groups/{second.org.id}/saml_group_links", json=link)
    name = world.name("climber")
    with first.browser() as browser:
        assert first.sign_in(browser, name, attributes=about(name, "owners")).status_code == 303
    climber = person(world, name)
    assert role(world, first.org.id, climber["id"]) == 10
    assert role(world, second.org.id, climber["id"]) is None


def test_owners_of_one_group_cannot_touch_another_groups_identities(world: World, make_saml_group: MakeGroup) -> None:
    first, second = make_saml_group(), make_saml_group()
    name = world.name("kept")
    with second.browser() as browser:
        second.sign_in(browser, name, attributes=about(name))
    attacker = first.org.owner.client
    for group in (first, second):
        path = f"/groups/{group.org.id}/saml/{name}"
        assert attacker.get(path).status_code == 404
        assert attacker.patch(path, json={"extern_uid": "mine"}).status_code == 404
        assert attacker.delete(path).status_code == 404
    assert second.org.owner.client.get(f"/groups/{second.org.id}/saml/{name}").status_code == 200


def test_a_name_that_only_looks_alike_does_not_enter(world: World, group: SamlGroup) -> None:
    """Case is ignored for plain letters; a Kelvin sign is no K, and a space of another kind is part of the name."""
    name = world.name("kevin")
    with group.browser() as browser:
        response = group.idp.response(name, f"{group.saml}/callback", attributes=about(name))
        assert group.post(browser, response).status_code == 303
    for twin in (name.replace("k", "\u212a"), name + "\u00a0", name + "\u200b"):
        with group.browser() as browser:
            response = group.idp.response(twin, f"{group.saml}/callback", attributes=about(world.name("twin")))
            assert group.post(browser, response).status_code in (303, 400)
            assert f"@{name}<" not in browser.get("/-/user_settings/personal_access_tokens").text


def test_a_name_that_grows_in_lower_case_is_stored_or_refused(world: World, group: SamlGroup) -> None:
    name = world.name("grown")
    response = group.idp.response("\u0130" * 255, f"{group.saml}/callback", attributes=about(name))
    with group.browser() as browser:
        assert group.post(browser, response).status_code in (303, 403)


def test_thousands_with_one_name_do_not_slow_each_other_down(world: World, group: SamlGroup) -> None:
    """The search for a free user name ends soon, however many are taken."""
    stem = world.name("same")
    callback = f"{group.saml}/callback"
    for _ in range(40):
        with group.browser() as browser:
            attributes = {"email": [f"{world.name('mail')}@x.example"], "username": [stem]}
            response = group.idp.response(world.name("uid"), callback, attributes=attributes)
            assert group.post(browser, response).status_code == 303
    with world.server.services.db.read() as conn:
        created = conn.execute(select(users.c.username).where(users.c.username_lower.startswith(stem))).scalars().all()
    numbers = [int(name.removeprefix(stem) or 0) for name in created]
    assert len(numbers) == 40
    assert sum(number <= 30 for number in numbers) >= 31
    assert sum(number > 30 for number in numbers) >= 1
