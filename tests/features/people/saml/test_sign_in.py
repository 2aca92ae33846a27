"""Signing in through a real identity provider: who comes in, who does not, and what stays behind."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from lxml import etree
from sqlalchemy import select

from ingot.identity import second_factors
from ingot.identity.tables import users
from tests.features.people.saml.forgeries import WRAPPINGS, set_attribute, set_text
from tests.features.people.saml.identity_provider import SAML, key_pair
from tests.features.people.saml.signing_in import TOKENS, MakeGroup, about, counts, person, role
from tests.support import plain_http
from tests.support.world import World


def test_a_first_sign_in_makes_account_identity_membership_and_session(
    world: World, make_saml_group: MakeGroup
) -> None:
    group = make_saml_group(default_membership_role=20)
    name = world.name("alice")

    with group.browser() as browser:
        entered = group.sign_in(browser, f"{name}-uid", attributes=about(name))

        assert entered.status_code == 303
        assert entered.headers["location"] == TOKENS
        cookie = entered.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "samesite=lax" in cookie.lower()
        page = browser.get(TOKENS)
        assert page.status_code == 200
        assert f"@{name}" in page.text

    created = person(world, name)
    assert (created["username"], created["name"], created["state"]) == (name, f"{name.title()} Doe", "active")
    assert role(world, group.org.id, created["id"]) == 20
    listed = group.org.owner.client.ok("GET", f"/groups/{group.org.id}/saml/identities")
    assert listed == [{"extern_uid": f"{name}-uid", "user_id": created["id"]}]


def test_a_second_sign_in_is_the_same_person(world: World, make_saml_group: MakeGroup) -> None:
    group = make_saml_group()
    name = world.name("bob")
    with group.browser() as browser:
        assert group.sign_in(browser, "Bob-UID", attributes=about(name)).status_code == 303
    before = counts(world)

    with group.browser() as browser:
        # Another case of the name and another address at the identity provider: still the same identity.
        again = group.sign_in(browser, "bob-uid", attributes=about(world.name("changed")))

    assert again.status_code == 303
    after = counts(world)
    assert {key: after[key] - before[key] for key in before} == {
        "users": 0, "identities": 0, "members": 0, "sessions": 1, "saml_used_assertions": 2, "saml_pending_links": 0,
    }  # fmt: skip
    with world.server.services.db.read() as conn:
        row = conn.execute(select(users).where(users.c.username == name)).one()
    assert row.sign_in_count == 2
    assert row.last_sign_in_at is not None
    assert row.current_sign_in_ip == "127.0.0.1"


def test_the_provider_decides_about_second_factors(world: World, make_saml_group: MakeGroup) -> None:
    group = make_saml_group()
    name = world.name("cora")
    with group.browser() as browser:
        assert group.sign_in(browser, name, attributes=about(name)).status_code == 303
    with world.server.services.db.write() as tx:
        user_id = person(world, name)["id"]
        second_factors.enable(tx, world.server.services, user_id, second_factors.new_secret(), 0)

    with group.browser() as browser:
        entered = group.sign_in(browser, name, attributes=about(name))

        assert (entered.status_code, entered.headers["location"]) == (303, TOKENS)
        assert f"@{name}" in browser.get(TOKENS).text


def test_a_sign_in_may_begin_at_the_identity_provider(world: World, make_saml_group: MakeGroup) -> None:
    group = make_saml_group()
    name = world.name("carol")
    with group.browser() as browser:
        response = group.idp.response(name, f"{group.saml}/callback", attributes=about(name))
        entered = group.post(browser, response, relay_state=f"/groups/{group.org.path}")
    assert (entered.status_code, entered.headers["location"]) == (303, f"/groups/{group.org.path}")


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example", "/\\evil.example", "evil", "/a\nb"])
def test_no_sign_in_leads_to_another_site(world: World, make_saml_group: MakeGroup, target: str) -> None:
    group = make_saml_group()
    name = world.name("dave")
    with group.browser() as browser:
        response = group.idp.response(name, f"{group.saml}/callback", attributes=about(name))
        assert group.post(browser, response, relay_state=target).headers["location"] == TOKENS
        asked = browser.get(f"{group.saml}/sso", params={"return_to": target})
        assert group.idp.read_request(asked.headers["location"])[2] == TOKENS


def test_a_sign_in_returns_to_where_it_began(world: World, make_saml_group: MakeGroup) -> None:
    group = make_saml_group()
    name = world.name("erin")
    with group.browser() as browser:
        asked = browser.get(f"{group.saml}/sso", params={"return_to": "/groups/x?y=1"})
        request_id, consumer_url, relay_state = group.idp.read_request(asked.headers["location"])
        answer = group.idp.response(name, consumer_url, in_response_to=request_id, attributes=about(name))
        assert group.post(browser, answer, relay_state=relay_state).headers["location"] == "/groups/x?y=1"


def edit_time(root: etree._Element) -> None:
    past = (datetime.now(UTC) - timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
    set_attribute(f".//{SAML}SubjectConfirmationData", "NotOnOrAfter", past)(root)
    set_attribute(f".//{SAML}Conditions", "NotOnOrAfter", past)(root)


FORGERIES = {
    "tampered": {"edit_signed": set_text(f".//{SAML}NameID", "root")},
    "unsigned": {"sign": ()},
    "expired": {"edit": edit_time},
    "another audience": {"edit": set_text(f".//{SAML}Audience", "http://other.example")},
    "another recipient": {
        "edit": set_attribute(f".//{SAML}SubjectConfirmationData", "Recipient", "http://other.example")
    },
    "another key": {"signer": key_pair("an attacker")},
    "unknown request": {"in_response_to": "_not-asked"},
    **{wrap.__name__: {"edit_signed": wrap} for wrap in WRAPPINGS},
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_forged_responses_are_refused_and_leave_nothing(world: World, make_saml_group: MakeGroup, forgery: str) -> None:
    group = make_saml_group()
    before = counts(world)

    with group.browser() as browser:
        options = {"attributes": about(world.name("eve")), **FORGERIES[forgery]}
        answer = group.post(browser, group.idp.response("eve", f"{group.saml}/callback", **options))

        assert answer.status_code == 403
        assert "Sign-in failed" in answer.text
        assert not browser.cookies
    assert counts(world) == before


def test_a_foreign_host_header_does_not_change_who_we_are(world: World, make_saml_group: MakeGroup) -> None:
    """Else an assertion for another service of the same identity provider could be delivered here."""
    group = make_saml_group()
    name = world.name("mallory")
    there = f"http://evil.example/groups/{group.org.path}"
    edit = set_text(f".//{SAML}Audience", there)
    answer = group.idp.response(name, f"{there}/-/saml/callback", attributes=about(name), edit=edit)
    posted = plain_http.post(f"{group.saml}/callback", data={"SAMLResponse": answer}, headers={"Host": "evil.example"})
    assert posted.status_code == 403
    assert "another" in posted.text


def test_a_replayed_response_is_refused(world: World, make_saml_group: MakeGroup) -> None:
    group = make_saml_group()
    name = world.name("frank")
    response = group.idp.response(name, f"{group.saml}/callback", attributes=about(name))
    with group.browser() as browser:
        assert group.post(browser, response).status_code == 303
    before = counts(world)
    with group.browser() as browser:
        answer = group.post(browser, response)
        assert answer.status_code == 403
        assert "already used" in answer.text
    assert counts(world) == before


def test_of_many_simultaneous_deliveries_one_is_accepted(world: World, make_saml_group: MakeGroup) -> None:
    group = make_saml_group()
    name = world.name("flood")
    response = group.idp.response(name, f"{group.saml}/callback", attributes=about(name))

    def deliver(_: int) -> int:
        with group.browser() as browser:
            return group.post(browser, response).status_code

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(deliver, range(8))) == [303] + [403] * 7


def test_simultaneous_first_sign_ins_make_one_account(world: World, make_saml_group: MakeGroup) -> None:
    group = make_saml_group()
    name = world.name("twin")
    callback = f"{group.saml}/callback"
    responses = [group.idp.response(name, callback, attributes=about(name)) for _ in range(6)]
    before = counts(world)

    def deliver(response: str) -> int:
        with group.browser() as browser:
            return group.post(browser, response).status_code

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(deliver, responses)) == [303] * 6
    assert counts(world)["users"] == before["users"] + 1
    assert counts(world)["identities"] == before["identities"] + 1


def test_an_answer_is_accepted_once_per_request_and_only_by_its_group(world: World, make_saml_group: MakeGroup) -> None:
    group, other = make_saml_group(), make_saml_group()
    name = world.name("grace")
    with group.browser() as browser:
        asked = browser.get(f"{group.saml}/sso")
        request_id, consumer_url, _ = group.idp.read_request(asked.headers["location"])
        first = group.idp.response(name, consumer_url, in_response_to=request_id, attributes=about(name))
        second = group.idp.response(name, consumer_url, in_response_to=request_id, attributes=about(name))
        elsewhere = other.idp.response(
            name, f"{other.saml}/callback", in_response_to=request_id, attributes=about(name)
        )
        assert other.post(browser, elsewhere).status_code == 403
        assert other.post(browser, first).status_code == 403
        assert group.post(browser, first).status_code == 303
        assert group.post(browser, second).status_code == 403


def test_a_request_that_is_altered_or_too_old_is_refused(world: World, make_saml_group: MakeGroup) -> None:
    group = make_saml_group()
    name = world.name("old")
    with group.browser() as browser:
        asked = browser.get(f"{group.saml}/sso")
        request_id, consumer_url, _ = group.idp.read_request(asked.headers["location"])
        expires, user_id, nonce, seal = request_id.removeprefix("_").split(".")
        altered = [
            f"_{int(expires, 16) + 600:x}.{user_id}.{nonce}.{seal}", f"_{expires}.1.{nonce}.{seal}", "_", "_x.y.z",
            f"_{expires}.{user_id}.{nonce}", request_id + "é",
        ]  # fmt: skip
        for forged in altered:
            answer = group.idp.response(name, consumer_url, in_response_to=forged, attributes=about(name))
            refused = group.post(browser, answer)
            assert refused.status_code == 403
            assert "not ours" in refused.text


def test_asking_to_sign_in_writes_nothing(world: World, make_saml_group: MakeGroup) -> None:
    group = make_saml_group()
    before = counts(world)
    with group.browser() as browser:
        for _ in range(3):
            assert browser.get(f"{group.saml}/sso").status_code == 302
    assert counts(world) == before


def test_a_response_needs_an_address_for_a_new_account(world: World, make_saml_group: MakeGroup) -> None:
    group = make_saml_group()
    before = counts(world)
    with group.browser() as browser:
        answer = group.post(browser, group.idp.response("nobody", f"{group.saml}/callback"))
    assert answer.status_code == 403
    assert "did not send an email address" in answer.text
    assert counts(world) == before


def test_a_blocked_person_stays_outside(world: World, make_saml_group: MakeGroup) -> None:
    group = make_saml_group()
    name = world.name("heidi")
    with group.browser() as browser:
        assert group.sign_in(browser, name, attributes=about(name)).status_code == 303
        with world.server.services.db.write() as tx:
            tx.execute(users.update().where(users.c.username == name).values(state="blocked"))
        assert browser.get(TOKENS).status_code == 302
        assert group.sign_in(browser, name, attributes=about(name)).status_code == 403


def test_user_names_are_made_valid_and_unique(world: World, make_saml_group: MakeGroup) -> None:
    group = make_saml_group()
    stem = world.name("jo")
    for body, number in ((f"{stem}!!", ""), (f"{stem}", "1"), (f"-{stem}.git", "2")):
        with group.browser() as browser:
            attributes = {"email": [f"{world.name('mail')}@x.example"], "username": [body], "name": ["Jo"]}
            response = group.idp.response(world.name("uid"), f"{group.saml}/callback", attributes=attributes)
            assert group.post(browser, response).status_code == 303
        assert person(world, f"{stem}{number}")["name"] == "Jo"


def test_reserved_words_do_not_become_user_names(world: World, make_saml_group: MakeGroup) -> None:
    group = make_saml_group()
    with group.browser() as browser:
        attributes = {"email": [f"{world.name('api')}@x.example"], "username": ["api"]}
        response = group.idp.response(world.name("uid"), f"{group.saml}/callback", attributes=attributes)
        assert group.post(browser, response).status_code == 303
        assert "@api1<" in browser.get(TOKENS).text


def test_large_and_broken_forms_are_refused(make_saml_group: MakeGroup) -> None:
    group = make_saml_group()
    with group.browser() as browser:
        assert group.post(browser, "A" * 1_100_000).status_code == 403
        assert group.post(browser, "A" * 2_000_000).status_code == 413
        assert group.post(browser, "").status_code == 403
        assert browser.post(f"{group.saml}/callback", content=b"%zz=%00").status_code == 400
        assert browser.get(f"{group.saml}/callback").status_code == 405
        assert browser.get("/groups/no/such/group/-/saml/sso").status_code == 404


class TestExistingAccounts:
    """An identity provider's word about an e-mail address is no proof of owning the account."""

    def test_an_account_with_the_address_is_not_taken_over(self, world: World, make_saml_group: MakeGroup) -> None:
        group = make_saml_group()
        before = counts(world)
        with group.browser() as browser:
            attributes = {"email": ["ADMIN@example.com"]}  # root's address, claimed by any group's provider
            answer = group.post(browser, group.idp.response("x", f"{group.saml}/callback", attributes=attributes))
            assert (answer.status_code, answer.headers["location"]) == (303, "/-/saml/link")
            page = browser.get("/-/saml/link")
            assert page.status_code == 200
            assert "prove" in page.text
            assert browser.get(TOKENS).status_code == 302
            refused = browser.post("/-/saml/link", data={"proof": "glpat-wrong"})
            assert refused.status_code == 403
            assert browser.post("/-/saml/link", data={}).status_code == 403
        after = counts(world)
        assert after["identities"] == before["identities"]
        assert after["sessions"] == before["sessions"]

    def test_a_token_of_the_account_proves_it(self, world: World, make_saml_group: MakeGroup) -> None:
        group = make_saml_group()
        known = world.user()
        read_only = world.token(known.id, ["read_api"])
        with group.browser() as browser:
            attributes = {"email": [f"{known.username}@example.com"], "Groups": ["dev"]}
            group.post(browser, group.idp.response("known-uid", f"{group.saml}/callback", attributes=attributes))
            assert browser.post("/-/saml/link", data={"proof": read_only}).status_code == 403
            linked = browser.post("/-/saml/link", data={"proof": known.token})
            assert linked.status_code == 303
            assert f"@{known.username}" in browser.get(TOKENS).text
            # The proof is used up.
            assert browser.post("/-/saml/link", data={"proof": known.token}).status_code == 403
        assert role(world, group.org.id, known.id) == 10
        with group.browser() as browser:
            assert group.sign_in(browser, "known-uid").headers["location"] == TOKENS

    def test_somebody_who_is_signed_in_connects_another_group(self, world: World, make_saml_group: MakeGroup) -> None:
        first, second = make_saml_group(), make_saml_group()
        name = world.name("ivan")
        with first.browser() as browser:
            first.sign_in(browser, name, attributes=about(name))
            answer = second.sign_in(browser, "other-uid", attributes=about(world.name("elsewhere")))
            assert answer.headers["location"] == "/-/saml/link"
            page = browser.get("/-/saml/link")
            assert f"@{name}" in page.text
            assert browser.post("/-/saml/link", data={"authenticity_token": "forged"}).status_code == 403
            token = etree.HTML(page.text).find(".//input[@name='authenticity_token']").get("value")
            assert browser.post("/-/saml/link", data={"authenticity_token": token}).status_code == 303
        created = person(world, name)
        assert role(world, second.org.id, created["id"]) == 10

    def test_a_response_that_nobody_asked_for_is_not_connected_by_a_click(
        self, world: World, make_saml_group: MakeGroup
    ) -> None:
        """Otherwise a stranger could post their own response into somebody's browser and gain the account."""
        first, second = make_saml_group(), make_saml_group()
        name = world.name("judy")
        with first.browser() as browser:
            first.sign_in(browser, name, attributes=about(name))
            page = browser.get(TOKENS)
            token = etree.HTML(page.text).find(".//input[@name='authenticity_token']").get("value")
            attackers = second.idp.response("attacker", f"{second.saml}/callback", attributes=about(name))
            assert second.post(browser, attackers).headers["location"] == "/-/saml/link"
            assert "prove" in browser.get("/-/saml/link").text
            assert browser.post("/-/saml/link", data={"authenticity_token": token}).status_code == 403

    def test_an_account_has_one_identity_per_provider(self, world: World, make_saml_group: MakeGroup) -> None:
        group = make_saml_group()
        known = world.user()
        for uid, status in (("one", 303), ("two", 403)):
            with group.browser() as browser:
                attributes = {"email": [f"{known.username}@example.com"]}
                group.post(browser, group.idp.response(uid, f"{group.saml}/callback", attributes=attributes))
                assert browser.post("/-/saml/link", data={"proof": known.token}).status_code == status


def test_invitations_of_other_groups_do_not_go_to_whoever_an_identity_provider_names(
    world: World, make_saml_group: MakeGroup
) -> None:
    owner, name = world.user(), world.name("invited")
    treasure = world.group(owner, visibility="private")
    body = {"email": f"{name}@acme.example", "access_level": 50}
    owner.client.ok("POST", f"/groups/{treasure['id']}/invitations", json=body)
    group = make_saml_group()

    with group.browser() as browser:
        assert group.sign_in(browser, name, attributes=about(name)).status_code == 303

    assert person(world, name)["confirmed_at"] is None
    assert role(world, treasure["id"], person(world, name)["id"]) is None
    assert len(owner.client.ok("GET", f"/groups/{treasure['id']}/invitations")) == 1
