"""The page on which people who signed in make their tokens."""

from datetime import UTC, datetime, timedelta

import httpx
import pytest
from lxml import etree
from sqlalchemy import select, update

from ingot.identity.sessions import digest
from ingot.identity.tables import sessions, users
from tests.features.people.saml.forgeries import set_attribute
from tests.features.people.saml.identity_provider import SAML
from tests.features.people.saml.signing_in import TOKENS, MakeGroup, about
from tests.support import plain_http
from tests.support.world import World


class TestTokenPage:
    """The page where a signed-in person makes tokens for the API."""

    def test_a_token_is_shown_once_works_and_can_be_revoked(self, world: World, make_saml_group: MakeGroup) -> None:
        group = make_saml_group()
        name = world.name("rob")
        with group.browser() as browser:
            group.sign_in(browser, name, attributes=about(name))
            form = self.form(browser)
            sent = browser.post(TOKENS, data={**form, "name": "<b>mine</b>", "scope_api": "1"})
            assert (sent.status_code, sent.headers["location"]) == (303, TOKENS)
            created = browser.get(TOKENS)
            assert "<b>mine</b>" not in created.text
            clear = etree.HTML(created.text).find(".//input[@id='token']").get("value")
            assert clear not in browser.get(TOKENS).text
            client = world.server.client(clear)
            assert client.ok("GET", "/user")["username"] == name
            action = etree.HTML(created.text).xpath("//form/@action[contains(., '/revoke')]")[0]
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
        body = {"name": "x", "scope_api": "1"}
        with group.browser() as browser:
            assert browser.get(TOKENS).headers["location"].startswith("/users/sign_in?")
            assert browser.post(TOKENS, data=body).status_code == 403
            group.sign_in(browser, name, attributes=about(name))
            assert browser.post(TOKENS, data=body).status_code == 403
            assert browser.post(TOKENS, data={**body, "authenticity_token": "é"}).status_code == 403

    def test_the_provider_asks_again_who_somebody_is(self, world: World, make_saml_group: MakeGroup) -> None:
        group = make_saml_group()
        name = world.name("una")
        with group.browser() as browser:
            group.sign_in(browser, name, attributes=about(name))
            form = {**self.form(browser), "name": "x", "scope_api": "1"}
            self.grow_old(world, browser)
            asked = browser.post(TOKENS, data=form)
            assert (asked.status_code, "Confirm access" in asked.text) == (401, True)
            way = etree.HTML(asked.text).xpath("//a[contains(@href, '/saml/sso?')]/@href")[0]
            request_id, consumer_url, _ = group.idp.read_request(browser.get(way).headers["location"])
            group.post(browser, group.idp.response(name, consumer_url, in_response_to=request_id))
            assert browser.post(TOKENS, data={**form, **self.form(browser)}).status_code == 303
            assert "It will not be shown again" in browser.get(TOKENS).text

    def test_signing_out_ends_the_session(self, world: World, make_saml_group: MakeGroup) -> None:
        group = make_saml_group()
        name = world.name("uma")
        with group.browser() as browser:
            group.sign_in(browser, name, attributes=about(name))
            stolen = dict(browser.cookies)
            assert browser.post("/users/sign_out", data=self.form(browser)).status_code == 303
            assert browser.get(TOKENS).status_code == 302
        assert plain_http.get(world.server.url + TOKENS, cookies=stolen).status_code == 302

    def test_a_session_ends_with_the_one_at_the_identity_provider(
        self, world: World, make_saml_group: MakeGroup
    ) -> None:
        group = make_saml_group()
        name = world.name("vic")
        soon = (datetime.now(UTC) + timedelta(minutes=5)).strftime("%Y-%m-%dT%H:%M:%SZ")
        edit = set_attribute(f".//{SAML}AuthnStatement", "SessionNotOnOrAfter", soon)
        with group.browser() as browser:
            assert group.sign_in(browser, name, attributes=about(name), edit=edit).status_code == 303
            assert browser.get("/dashboard/todos").status_code == 200  # a visit does not extend it
        with world.server.services.db.read() as conn:
            until = conn.execute(select(sessions.c.expires_at).join(users).where(users.c.username == name)).scalar_one()
        assert until <= datetime.now(UTC) + timedelta(minutes=5)

    def test_pages_cannot_be_framed_or_run_scripts(self, world: World) -> None:
        answer = plain_http.get(world.server.url + "/groups/none/-/saml/sso")
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["cache-control"] == "no-store"

    def grow_old(self, world: World, browser: httpx.Client) -> None:
        mine = sessions.c.digest == digest(browser.cookies["_ingot_session"])
        with world.server.services.db.write() as tx:
            tx.execute(update(sessions).where(mine).values(created_at=datetime.now(UTC) - timedelta(minutes=11)))

    def form(self, browser: httpx.Client) -> dict[str, str]:
        page = browser.get(TOKENS)
        return {"authenticity_token": etree.HTML(page.text).find(".//input[@name='authenticity_token']").get("value")}
