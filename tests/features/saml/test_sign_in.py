"""Signing in through a real identity provider: who comes in, who does not, and what stays behind."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from lxml import etree
from sqlalchemy import func, select

from ingot.access.tables import members
from ingot.features.saml.tables import saml_pending_links, saml_used_assertions
from ingot.identity.tables import identities, sessions, users
from tests.features.saml.conftest import SamlGroup
from tests.features.saml.identity_provider import SAML, key_pair
from tests.features.saml.organisation import add_member
from tests.features.saml.test_sso import WRAPPINGS, set_attribute, set_text
from tests.support.world import World

MakeGroup = Callable[..., SamlGroup]
TOKENS = "/-/user_settings/personal_access_tokens"


def counts(world: World) -> dict[str, int]:
    """How many rows there are of everything that a sign-in could make."""
    tables = (users, identities, members, sessions, saml_used_assertions, saml_pending_links)
    with world.server.services.db.read() as conn:
        return {table.name: conn.execute(select(func.count()).select_from(table)).scalar_one() for table in tables}


def person(world: World, username: str) -> dict:
    return world.admin.get("/users", username=username).json()[0]


def role(world: World, group_id: int, user_id: int) -> int | None:
    with world.server.services.db.read() as conn:
        return conn.execute(
            select(members.c.access_level).where(members.c.group_id == group_id, members.c.user_id == user_id)
        ).scalar_one_or_none()


def about(name: str, *groups: str) -> dict[str, list[str]]:
    found = {"email": [f"{name}@acme.example"], "first_name": [name.title()], "last_name": ["Doe"]}
    return {**found, "Groups": list(groups)} if groups else found


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

    made = person(world, name)
    assert (made["username"], made["name"], made["state"]) == (name, f"{name.title()} Doe", "active")
    assert role(world, group.org.id, made["id"]) == 20
    listed = group.org.owner.client.ok("GET", f"/groups/{group.org.id}/saml/identities")
    assert listed == [{"extern_uid": f"{name}-uid", "user_id": made["id"]}]


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
        assert "Sign-in was refused" in answer.text
        assert not browser.cookies
    assert counts(world) == before


def test_a_foreign_host_header_does_not_change_who_we_are(world: World, make_saml_group: MakeGroup) -> None:
    """Else an assertion for another service of the same identity provider could be delivered here."""
    group = make_saml_group()
    name = world.name("mallory")
    there = f"http://evil.example/groups/{group.org.path}"
    edit = set_text(f".//{SAML}Audience", there)
    answer = group.idp.response(name, f"{there}/-/saml/callback", attributes=about(name), edit=edit)
    posted = httpx.post(f"{group.saml}/callback", data={"SAMLResponse": answer}, headers={"Host": "evil.example"})
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
        assert "used before" in answer.text
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
    assert "e-mail" in answer.text
    assert counts(world) == before


def test_a_blocked_person_stays_outside(world: World, make_saml_group: MakeGroup) -> None:
    group = make_saml_group()
    name = world.name("heidi")
    with group.browser() as browser:
        assert group.sign_in(browser, name, attributes=about(name)).status_code == 303
        with world.server.services.db.write() as tx:
            tx.execute(users.update().where(users.c.username == name).values(state="blocked"))
        assert browser.get(TOKENS).status_code == 401
        assert group.sign_in(browser, name, attributes=about(name)).status_code == 403


def test_user_names_are_made_valid_and_unique(world: World, make_saml_group: MakeGroup) -> None:
    group = make_saml_group()
    stem = world.name("jo")
    for wish, number in ((f"{stem}!!", ""), (f"{stem}", "1"), (f"-{stem}.git", "2")):
        with group.browser() as browser:
            attributes = {"email": [f"{world.name('mail')}@x.example"], "username": [wish], "name": ["Jo"]}
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
            assert browser.get(TOKENS).status_code == 401
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
        made = person(world, name)
        assert role(world, second.org.id, made["id"]) == 10

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


class TestGroupLinks:
    """What links do at sign-in."""

    def test_the_highest_role_of_the_matching_links_wins(self, world: World, make_saml_group: MakeGroup) -> None:
        group = make_saml_group()
        below = group.org.subgroup("team")
        for group_id, name, level in (
            (group.org.id, "dev", 30), (group.org.id, "ops", 40), (group.org.id, "Dev", 50), (below, "dev", 40),
        ):  # fmt: skip
            self.link(group, group_id, name, level)
        name = world.name("kim")

        with group.browser() as browser:
            group.sign_in(browser, name, attributes=about(name, "dev", "ops", "unknown"))

        made = person(world, name)
        assert role(world, group.org.id, made["id"]) == 40
        assert role(world, below, made["id"]) == 40

    def test_roles_follow_the_groups_up_and_down_and_away(self, world: World, make_saml_group: MakeGroup) -> None:
        group = make_saml_group(default_membership_role=5)
        below, untouched = group.org.subgroup("team"), group.org.subgroup("free")
        for name, level in (("dev", 30), ("boss", 40)):
            self.link(group, group.org.id, name, level)
        self.link(group, below, "boss", 50)
        name = world.name("lee")

        def sign_in(*groups: str) -> tuple[int | None, int | None]:
            with group.browser() as browser:
                assert group.sign_in(browser, name, attributes=about(name, *groups)).status_code == 303
            user_id = person(world, name)["id"]
            return role(world, group.org.id, user_id), role(world, below, user_id)

        assert sign_in("boss") == (40, 50)
        user_id = person(world, name)["id"]
        add_member(world, untouched, user_id, 50)
        assert sign_in("dev") == (30, None)
        # No groups at all: out of managed groups; the top-level group falls back to the default role.
        assert sign_in() == (5, None)
        assert role(world, untouched, user_id) == 50

    def test_rights_on_projects_follow(self, world: World, make_saml_group: MakeGroup) -> None:
        group = make_saml_group()
        self.link(group, group.org.id, "dev", 30)
        name = world.name("max")
        with group.browser() as browser:
            group.sign_in(browser, name, attributes=about(name, "dev"))
        user_id = person(world, name)["id"]
        client = world.server.client(world.token(user_id, ["api"]))
        # A developer of the group sees it, and is no owner.
        assert client.get(f"/groups/{group.org.id}/saml/identities").status_code == 403
        self.link(group, group.org.id, "boss", 50)
        with group.browser() as browser:
            group.sign_in(browser, name, attributes=about(name, "boss"))
        assert client.get(f"/groups/{group.org.id}/saml/identities").status_code == 200

    def test_the_last_owner_keeps_the_role(self, world: World, make_saml_group: MakeGroup) -> None:
        group = make_saml_group()
        self.link(group, group.org.id, "dev", 30)
        owner = group.org.owner
        self.connect(group, owner, "owner-uid")
        with group.browser() as browser:
            group.sign_in(browser, "owner-uid", attributes={"Groups": ["dev"]})
        assert role(world, group.org.id, owner.id) == 50

        add_member(world, group.org.id, group.org.stranger.id, 50)
        with group.browser() as browser:
            group.sign_in(browser, "owner-uid", attributes={"Groups": ["dev"]})
        assert role(world, group.org.id, owner.id) == 30

    def test_removing_one_of_several_links_removes_at_the_next_sign_in_and_the_last_removes_nobody(
        self, world: World, make_saml_group: MakeGroup
    ) -> None:
        group = make_saml_group()
        below, other = group.org.subgroup("team"), group.org.subgroup("other")
        self.link(group, below, "dev", 30)
        self.link(group, below, "ops", 30)
        self.link(group, other, "dev", 30)
        name = world.name("nic")
        with group.browser() as browser:
            group.sign_in(browser, name, attributes=about(name, "dev"))
        user_id = person(world, name)["id"]
        client = group.org.owner.client
        client.ok("DELETE", f"/groups/{below}/saml_group_links/dev")
        client.ok("DELETE", f"/groups/{other}/saml_group_links/dev")
        assert (role(world, below, user_id), role(world, other, user_id)) == (30, 30)

        with group.browser() as browser:
            group.sign_in(browser, name, attributes=about(name, "dev"))

        assert (role(world, below, user_id), role(world, other, user_id)) == (None, 30)

    def test_a_link_of_another_provider_does_not_count(self, world: World, make_saml_group: MakeGroup) -> None:
        group = make_saml_group()
        below, other = group.org.subgroup("team"), group.org.subgroup("other")
        self.link(group, below, "dev", 30, provider="okta")
        self.link(group, other, "dev", 30, provider="group_saml")
        name = world.name("pat")
        with group.browser() as browser:
            group.sign_in(browser, name, attributes=about(name, "dev"))
        user_id = person(world, name)["id"]
        assert (role(world, below, user_id), role(world, other, user_id)) == (None, 30)

    def test_custom_roles_are_given_and_break_ties(self, world: World, make_saml_group: MakeGroup) -> None:
        group = make_saml_group()
        client = group.org.owner.client
        roles = [
            client.ok("POST", f"/groups/{group.org.id}/member_roles", json={"name": name, "base_access_level": 20})
            for name in ("one", "two")
        ]
        self.link(group, group.org.id, "a", 20, member_role_id=roles[1]["id"])
        self.link(group, group.org.id, "b", 20, member_role_id=roles[0]["id"])
        self.link(group, group.org.id, "c", 20)
        name = world.name("quin")
        with group.browser() as browser:
            group.sign_in(browser, name, attributes=about(name, "c", "b", "a"))
        with world.server.services.db.read() as conn:
            held = conn.execute(
                select(members.c.member_role_id).where(members.c.user_id == person(world, name)["id"])
            ).scalar_one()
        assert held == roles[1]["id"]

    def test_a_link_changes_nobody_before_they_sign_in(self, world: World, make_saml_group: MakeGroup) -> None:
        group = make_saml_group()
        self.link(group, group.org.id, "dev", 10)
        assert role(world, group.org.id, group.org.maintainer.id) == 40

    def test_stored_rights_agree_with_fresh_ones(self, world: World) -> None:
        from ingot.access.authorizations import differences

        with world.server.services.db.read() as conn:
            assert differences(conn) == []

    def link(self, group: SamlGroup, group_id: int, name: str, level: int, **more: object) -> None:
        wish = {"saml_group_name": name, "access_level": level, **more}
        group.org.owner.client.ok("POST", f"/groups/{group_id}/saml_group_links", json=wish)

    def connect(self, group: SamlGroup, known, uid: str) -> None:
        with group.browser() as browser:
            attributes = {"email": [f"{known.username}@example.com"]}
            group.post(browser, group.idp.response(uid, f"{group.saml}/callback", attributes=attributes))
            assert browser.post("/-/saml/link", data={"proof": known.token}).status_code == 303


class TestTokenPage:
    """The page where a signed-in person makes tokens for the API."""

    def test_a_token_is_shown_once_works_and_can_be_revoked(self, world: World, make_saml_group: MakeGroup) -> None:
        group = make_saml_group()
        name = world.name("rob")
        with group.browser() as browser:
            group.sign_in(browser, name, attributes=about(name))
            form = self.form(browser)
            made = browser.post(TOKENS, data={**form, "name": "<b>mine</b>", "scope_api": "1"})
            assert made.status_code == 201
            assert "<b>mine</b>" not in made.text
            clear = etree.HTML(made.text).find(".//code[@id='token']").text
            assert clear not in browser.get(TOKENS).text
            client = world.server.client(clear)
            assert client.ok("GET", "/user")["username"] == name
            action = etree.HTML(made.text).find(".//table//form").get("action")
            assert browser.post(action, data={}).status_code == 403
            assert browser.post(action, data=form).status_code == 303
            assert client.get("/user").status_code == 401

    @pytest.mark.parametrize(
        "fields",
        [
            {"name": "", "scope_api": "1"},
            {"name": "x"},
            {"name": "x" * 256, "scope_api": "1"},
            {"name": "x", "scope_api": "1", "expires_at": "2001-01-01"},
            {"name": "x", "scope_api": "1", "expires_at": "someday"},
            {"name": "x", "scope_api": "1", "expires_at": "2999-01-01"},
        ],
    )
    def test_bad_wishes_are_refused(self, world: World, make_saml_group: MakeGroup, fields: dict[str, str]) -> None:
        group = make_saml_group()
        name = world.name("sue")
        with group.browser() as browser:
            group.sign_in(browser, name, attributes=about(name))
            assert browser.post(TOKENS, data={**self.form(browser), **fields}).status_code == 400

    def test_forged_forms_and_strangers_are_refused(self, world: World, make_saml_group: MakeGroup) -> None:
        group = make_saml_group()
        name = world.name("tom")
        wish = {"name": "x", "scope_api": "1"}
        with group.browser() as browser:
            assert browser.get(TOKENS).status_code == 401
            assert browser.post(TOKENS, data=wish).status_code == 401
            group.sign_in(browser, name, attributes=about(name))
            assert browser.post(TOKENS, data=wish).status_code == 403
            assert browser.post(TOKENS, data={**wish, "authenticity_token": "é"}).status_code == 403

    def test_signing_out_ends_the_session(self, world: World, make_saml_group: MakeGroup) -> None:
        group = make_saml_group()
        name = world.name("uma")
        with group.browser() as browser:
            group.sign_in(browser, name, attributes=about(name))
            stolen = dict(browser.cookies)
            assert browser.post("/users/sign_out", data=self.form(browser)).status_code == 303
            assert browser.get(TOKENS).status_code == 401
        assert httpx.get(world.server.url + TOKENS, cookies=stolen).status_code == 401

    def test_a_session_ends_with_the_one_at_the_identity_provider(
        self, world: World, make_saml_group: MakeGroup
    ) -> None:
        group = make_saml_group()
        name = world.name("vic")
        soon = (datetime.now(UTC) + timedelta(minutes=5)).strftime("%Y-%m-%dT%H:%M:%SZ")
        edit = set_attribute(f".//{SAML}AuthnStatement", "SessionNotOnOrAfter", soon)
        with group.browser() as browser:
            assert group.sign_in(browser, name, attributes=about(name), edit=edit).status_code == 303
        with world.server.services.db.read() as conn:
            until = conn.execute(select(sessions.c.expires_at).join(users).where(users.c.username == name)).scalar_one()
        assert until <= datetime.now(UTC) + timedelta(minutes=5)

    def test_pages_cannot_be_framed_or_run_scripts(self, world: World) -> None:
        answer = httpx.get(world.server.url + TOKENS)
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["cache-control"] == "no-store"

    def form(self, browser: httpx.Client) -> dict[str, str]:
        page = browser.get(TOKENS)
        return {"authenticity_token": etree.HTML(page.text).find(".//input[@name='authenticity_token']").get("value")}
