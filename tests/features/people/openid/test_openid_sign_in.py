"""Signing in by an OpenID Connect provider: new and known people, connecting accounts, and attacks on the way."""

from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest

from ingot.identity import second_factors
from ingot.kit.clock import now
from tests.features.people.openid.provider import Provider, begin, sign_in
from tests.support.world import World
from tests.web.browsing import Browser, Visit

SERVICES = "/-/user_settings/sign_in_services"
BEGIN = "/users/auth/openid_connect"
CALLBACK = f"{BEGIN}/callback"
PASSWORD = "Right-Password-47"


@pytest.fixture(scope="module", autouse=True)
def nobody_waits(world: World) -> None:
    """New people come in without an administrator's approval."""
    world.admin.ok("PUT", "/application/settings", json={"require_admin_approval_after_user_signup": False})


def is_signed_in(browser: Browser) -> bool:
    return browser.open("/-/user_settings/active_sessions").path.endswith("active_sessions")


def connect(browser: Browser, provider: Provider, subject: str) -> Visit:
    """Connect the account of a signed-in browser."""
    page = browser.send(browser.open(SERVICES), SERVICES)
    target = page.tree.find(".//a[@class='button primary']").get("href")
    return browser.open(provider.allow(target, subject))


def test_new_people_get_an_account_and_come_back_to_it(world: World, provider: Provider) -> None:
    provider.set_person("ada-1", email="ada@corp.example", email_verified=True, name="Ada L", nickname="ada")
    browser = Browser(world.server)
    assert "Sign in with Example SSO" in browser.open("/users/sign_in").text

    page = sign_in(browser, provider, "ada-1")

    assert page.path == "/dashboard/todos"
    row = world.admin.ok("GET", "/users?username=ada")[0]
    detail = world.admin.ok("GET", f"/users/{row['id']}")
    assert (detail["name"], detail["email"]) == ("Ada L", "ada@corp.example")
    assert detail["confirmed_at"] is not None
    assert [(one["provider"], one["extern_uid"]) for one in detail["identities"]] == [("openid_connect", "ada-1")]
    again = Browser(world.server)
    sign_in(again, provider, "ada-1")
    assert is_signed_in(again)
    assert len(world.admin.ok("GET", "/users?search=ada@corp.example")) == 1


def test_the_request_has_state_nonce_and_pkce(world: World) -> None:
    query = parse_qs(urlsplit(begin(Browser(world.server))).query)

    assert query["code_challenge_method"] == ["S256"]
    assert query["redirect_uri"] == [f"{world.server.url}{CALLBACK}"]
    assert all(len(query[name][0]) >= 43 for name in ("state", "nonce", "code_challenge"))


def test_an_address_is_not_enough_to_get_into_an_account(world: World, provider: Provider) -> None:
    victim = world.user()
    provider.set_person("thief", email=f"{victim.username}@example.com", email_verified=True)
    browser = Browser(world.server)

    page = sign_in(browser, provider, "thief")

    assert (page.status, "An account with your email address already exists." in page.text) == (403, True)
    assert not is_signed_in(browser)


def test_people_connect_and_disconnect_their_accounts(world: World, provider: Provider) -> None:
    person, browser = world.user(), Browser(world.server)
    browser.enter_by_link(person.username)

    page = connect(browser, provider, "connected-1")

    assert "Connected" in page.text
    other = Browser(world.server)
    sign_in(other, provider, "connected-1")
    assert f"/{person.username}" in other.open("/").links()
    second = Browser(world.server)
    second.enter_by_link(world.user().username)
    assert "has already been taken" in connect(second, provider, "connected-1").text
    browser.send(browser.open(SERVICES), "/remove")
    assert world.admin.ok("GET", f"/users/{person.id}")["identities"] == []


def test_who_has_no_password_signs_in_again_to_prove_who_they_are(world: World, provider: Provider) -> None:
    provider.set_person("prover", email="prover@corp.example", nickname="prover")
    browser = Browser(world.server, **{"Sec-Fetch-Site": "same-origin"})
    sign_in(browser, provider, "prover")
    browser.set_proof(now() - timedelta(minutes=11))
    tokens = "/-/user_settings/personal_access_tokens"
    asked = browser.send(browser.open(tokens), tokens, name="laptop", scope_read_api="1")
    assert (asked.status, "Confirm access" in asked.text) == (401, True)
    way = next(path for path in asked.links() if path.startswith("/users/auth/openid_connect?"))

    target = browser.http.get(way, follow_redirects=False).headers["location"]
    query = parse_qs(urlsplit(target).query)
    assert (query["prompt"], query["max_age"]) == (["login"], ["0"])
    browser.open(provider.allow(target, "prover"))

    again = browser.send(asked, "/go_on")
    assert (again.status, "Submit the form again?" in again.text) == (403, True)
    issued = browser.send(again, tokens)
    assert (issued.status, issued.tree.xpath("//input[@id='token']/@value")[0][:6]) == (200, "glpat-")
    # A provider that says that it asked nobody lately is not believed.
    provider.set_person("prover", email="prover@corp.example", nickname="prover", auth_time=1_700_000_000)
    refused = browser.open(provider.allow(browser.http.get(way, follow_redirects=False).headers["location"], "prover"))
    assert (refused.status, "did not ask you to sign in again" in refused.text) == (403, True)


def test_an_administrator_enters_admin_mode_by_signing_in_again(world: World, provider: Provider) -> None:
    provider.set_person("boss", email="boss@corp.example", nickname="boss")
    provider.set_person("other", email="other-boss@corp.example", nickname="other")
    browser = Browser(world.server, **{"Sec-Fetch-Site": "same-origin"})
    sign_in(browser, provider, "boss")
    root = world.server.client(world.token(1, ["api", "admin_mode"]))
    number = root.ok("GET", "/users?username=boss")[0]["id"]
    root.ok("PUT", f"/users/{number}", json={"admin": True})
    root.ok("PUT", "/application/settings", json={"admin_mode": True})

    def lead_on(page: Visit) -> str:
        """Where the page leads to after the button."""
        led = browser.send(page, "/admin/session/openid_connect")
        return str(led.tree.xpath("//a[contains(., 'Continue to Example SSO')]/@href")[0])

    try:
        # Who may only have been signed in there is not let in: the service does not say when it asked.
        provider.set_person("boss", email="boss@corp.example", nickname="boss", auth_time=None)
        unsure = browser.open(provider.allow(lead_on(browser.open("/admin/users")), "boss"))
        assert (unsure.status, "auth_time" in unsure.text) == (403, True)
        provider.set_person("boss", email="boss@corp.example", nickname="boss")
        page = browser.open("/admin/users")
        assert (page.path, page.tree.xpath("//input[@type='password']")) == ("/admin/session/new", [])
        target = lead_on(page)
        assert parse_qs(urlsplit(target).query)["prompt"] == ["login"]
        refused = browser.open(provider.allow(target, "other"))
        assert (refused.status, "as another user" in refused.text) == (403, True)
        assert browser.open("/admin/users").path == "/admin/session/new"
        entered = browser.open(provider.allow(lead_on(page), "boss"))
        assert (entered.path, "Leave admin mode" in entered.text) == ("/admin/users", True)
        # A link alone leads nobody into it, and proving once more does not lead out of it.
        target = browser.http.get(f"{BEGIN}?again=true&return_to=/admin", follow_redirects=False).headers["location"]
        assert browser.open(provider.allow(target, "boss")).path == "/admin"
        browser.send(browser.open("/"), "/admin/session/destroy")
        target = browser.http.get(f"{BEGIN}?again=true&return_to=/admin", follow_redirects=False).headers["location"]
        assert browser.open(provider.allow(target, "boss")).path == "/admin/session/new"
        # The second factor is asked for besides.
        with world.server.services.db.write() as tx:
            codes = second_factors.enable(tx, world.server.services, number, second_factors.new_secret(), 0)
        step = browser.open(provider.allow(lead_on(browser.open("/admin/session/new")), "boss"))
        assert browser.open("/admin").path == "/admin/session/new"
        entered = browser.send(step, "/users/sign_in", **{"user[otp_attempt]": codes[0]})
        assert (entered.path, "Leave admin mode" in entered.text) == ("/admin", True)
    finally:
        root.ok("PUT", "/application/settings", json={"admin_mode": False})


def test_the_case_of_a_name_counts(world: World, provider: Provider) -> None:
    person, browser = world.user(), Browser(world.server)
    browser.enter_by_link(person.username)
    connect(browser, provider, "CaseSensitive")
    provider.set_person("casesensitive", email="other@corp.example")

    other = Browser(world.server)
    sign_in(other, provider, "casesensitive")

    assert f"/{person.username}" not in other.open("/").links()


def test_the_second_factor_and_a_block_still_count(world: World, provider: Provider) -> None:
    person, browser = world.user(), Browser(world.server)
    browser.enter_by_link(person.username)
    connect(browser, provider, "guarded")
    with world.server.services.db.write() as tx:
        second_factors.enable(tx, world.server.services, person.id, second_factors.new_secret(), 0)
    other = Browser(world.server)
    assert "Authenticator code or recovery code" in sign_in(other, provider, "guarded").text
    assert not is_signed_in(other)

    world.admin.ok("POST", f"/users/{person.id}/block")

    refused = sign_in(Browser(world.server), provider, "guarded")
    assert (refused.status, "blocked" in refused.text) == (403, True)


def test_new_people_may_have_to_wait(world: World, provider: Provider) -> None:
    provider.set_person("patient", email="patient@corp.example")
    world.admin.ok("PUT", "/application/settings", json={"require_admin_approval_after_user_signup": True})
    try:
        page = sign_in(Browser(world.server), provider, "patient")
    finally:
        world.admin.ok("PUT", "/application/settings", json={"require_admin_approval_after_user_signup": False})

    assert (page.status, "pending approval" in page.text) == (403, True)


def test_an_answer_counts_in_the_browser_that_asked_and_once(world: World, provider: Provider) -> None:
    provider.set_person("once", email="once@corp.example")
    browser, stranger = Browser(world.server), Browser(world.server)
    back = provider.allow(begin(browser), "once")

    assert stranger.open(back).status == 403
    begin(stranger)
    assert stranger.open(back).status == 403
    assert not is_signed_in(stranger)
    assert browser.open(back).status == 200
    browser.http.cookies.delete("_ingot_session")
    assert browser.open(back).status == 403


def test_a_code_of_another_sign_in_is_refused(world: World, provider: Provider) -> None:
    provider.set_person("mallory", email="mallory@corp.example")
    attacker, victim = Browser(world.server), Browser(world.server)
    stolen = parse_qs(urlsplit(provider.allow(begin(attacker), "mallory")).query)["code"][0]
    state = parse_qs(urlsplit(begin(victim)).query)["state"][0]

    page = victim.open(f"{CALLBACK}?code={stolen}&state={state}")

    assert page.status == 503
    assert not is_signed_in(victim)


def test_what_the_provider_says_to_another_client_is_refused(world: World, provider: Provider) -> None:
    provider.set_person("guest", email="guest@corp.example")
    browser = Browser(world.server)
    ours = parse_qs(urlsplit(asked := begin(browser)).query)["client_id"][0]

    page = browser.open(provider.allow(asked.replace(f"client_id={ours}", "client_id=another"), "guest"))

    assert page.status == 503
    assert not is_signed_in(browser)


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:x"])
def test_nobody_is_sent_elsewhere_afterwards(world: World, provider: Provider, target: str) -> None:
    provider.set_person("walker", email="walker@corp.example")

    page = sign_in(Browser(world.server), provider, "walker", target)

    assert (page.path, str(page.response.url).startswith(world.server.url)) == ("/", True)


def test_nobody_begins_a_connection_for_somebody_else(world: World, provider: Provider) -> None:
    victim = Browser(world.server)
    victim.enter_by_link(world.user().username)
    assert victim.http.post(SERVICES, data={}).status_code == 403

    page = victim.send(victim.open(SERVICES), SERVICES)
    target = page.tree.find(".//a[@class='button primary']").get("href")
    other = world.user()
    victim.http.cookies.delete("_ingot_session")
    victim.enter_by_link(other.username)

    assert victim.open(provider.allow(target, "attacker")).status == 403
    assert world.admin.ok("GET", f"/users/{other.id}")["identities"] == []


def test_a_refusal_of_the_provider_is_told(world: World) -> None:
    browser = Browser(world.server)
    state = parse_qs(urlsplit(begin(browser)).query)["state"][0]

    page = browser.open(f"{CALLBACK}?error=access_denied&state={state}")

    assert (page.status, "The sign-in service denied access." in page.text) == (403, True)
