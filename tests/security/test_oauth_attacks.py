"""Attacks on the OAuth provider: stolen codes and tokens, redirect tricks, downgrades, forged consent."""

from typing import Any
from urllib.parse import urlsplit

import pytest

from ingot.identity import signing_keys
from tests.features.people.oauth.flows import CALLBACK, Application, answer_of, bearer, challenge_of, signed_in, token
from tests.support import plain_http
from tests.support.world import Person, World
from tests.web.browsing import Browser, Visit

pytestmark = pytest.mark.costly

VERIFIER = "v" * 43
S256 = {"code_challenge": challenge_of(VERIFIER), "code_challenge_method": "S256"}


@pytest.fixture(scope="module")
def person(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def browser(world: World, person: Person) -> Browser:
    return signed_in(world, person)


@pytest.fixture(scope="module")
def app(world: World) -> Application:
    return Application(world)


@pytest.fixture(scope="module")
def public(world: World) -> Application:
    return Application(world, redirect_uri="http://localhost:7171/auth/redirect", confidential=False)


def refused(response: Any) -> bool:
    return bool(response.status_code == 400 and response.json()["error"] == "invalid_grant")


def test_a_replayed_code_closes_what_it_opened(world: World, app: Application, browser: Browser) -> None:
    code = app.code(browser, scope="api")
    tokens = app.redeem(code).json()
    renewed = app.refresh(tokens["refresh_token"]).json()
    assert bearer(world, renewed["access_token"], "/user").status_code == 200

    assert refused(app.redeem(code))

    assert bearer(world, renewed["access_token"], "/user").status_code == 401
    assert refused(app.refresh(renewed["refresh_token"]))


def test_a_replayed_refresh_token_closes_its_family(world: World, app: Application, browser: Browser) -> None:
    first = app.tokens(browser, scope="api")
    second = app.refresh(first["refresh_token"]).json()
    assert bearer(world, second["access_token"], "/user").status_code == 200

    assert refused(app.refresh(first["refresh_token"]))

    assert bearer(world, second["access_token"], "/user").status_code == 401
    assert refused(app.refresh(second["refresh_token"]))


def test_codes_and_tokens_of_one_client_are_worth_nothing_to_another(
    world: World, app: Application, browser: Browser
) -> None:
    other = Application(world)
    code, tokens = app.code(browser, scope="api"), app.tokens(browser, scope="api")

    assert refused(other.redeem(code))
    assert refused(other.refresh(tokens["refresh_token"]))
    assert app.redeem(code).status_code == 200
    wrong = token(world, grant_type="refresh_token", refresh_token=tokens["refresh_token"], client_id=app.uid,
                  client_secret=other.row["secret"])  # fmt: skip
    assert (wrong.status_code, wrong.json()["error"]) == (401, "invalid_client")


def test_a_token_of_one_kind_does_not_pass_for_another(world: World, app: Application, browser: Browser) -> None:
    tokens = app.tokens(browser)
    code = app.code(browser)
    forged = signing_keys.sign(world.server.services, {"sub": "1", "scope": "api"})

    for text in (tokens["refresh_token"], tokens["id_token"], code, app.row["secret"], app.uid, forged):
        assert bearer(world, text, "/user").status_code == 401
        assert plain_http.get(
            f"{world.server.url}/oauth/userinfo", headers={"Authorization": f"Bearer {text}"}
        ).status_code == 401  # fmt: skip
    for text in (tokens["access_token"], code, tokens["id_token"]):
        assert refused(app.refresh(text))
    personal = world.token(1, ["api"])
    assert plain_http.get(
        f"{world.server.url}/oauth/userinfo", headers={"Authorization": f"Bearer {personal}"}
    ).status_code == 401  # fmt: skip


@pytest.mark.parametrize(
    "uri",
    [
        "https://client.example.com/callback/", "https://client.example.com/callback?x=1",
        "https://client.example.com/callback/../evil", "https://client.example.com.evil.example/callback",
        "https://client.example.com@evil.example/callback", "https://evil.example/callback",
        "https://client.example.com:443/callback", "HTTPS://client.example.com/callback",
        "https://client.example.com/callback#x", "//client.example.com/callback", "/callback", "",
        "https://client.example.com/callback\r\nSet-Cookie: x=1", f"{CALLBACK}\nhttps://evil.example/",
        "javascript:alert(1)", "https://client.example.com\\@evil.example/callback",
    ],
)  # fmt: skip
def test_nobody_is_sent_to_an_address_that_is_not_registered(app: Application, browser: Browser, uri: str) -> None:
    for more in ({}, {"prompt": "none"}, {"response_type": "token"}):
        response = app.ask(browser, redirect_uri=uri, **more)

        assert response.status_code == 400
        assert "location" not in response.headers


def test_only_the_port_of_a_loopback_address_may_differ(public: Application, browser: Browser) -> None:
    assert public.ask(browser, redirect_uri="http://localhost:9999/auth/redirect", **S256).status_code == 200
    for uri in (
        "http://localhost:9999/other", "http://localhost.evil.example:7171/auth/redirect",
        "https://localhost:7171/auth/redirect", "http://x@localhost:7171/auth/redirect",
        "http://127.0.0.1:7171/auth/redirect", "http://localhost:bad/auth/redirect",
    ):  # fmt: skip
        assert public.ask(browser, redirect_uri=uri, **S256).status_code == 400


def test_the_redirect_address_of_a_code_cannot_change(app: Application, browser: Browser) -> None:
    code = app.code(browser)

    assert refused(app.redeem(code, redirect_uri="https://evil.example/"))


def test_pkce_cannot_be_left_out_or_weakened(world: World, public: Application, browser: Browser) -> None:
    assert answer_of(public.ask(browser))["error"] == "invalid_request"
    weak = answer_of(public.ask(browser, code_challenge="short", code_challenge_method="S256"))
    assert weak["error"] == "invalid_request"
    assert answer_of(public.ask(browser, code_challenge=S256["code_challenge"], code_challenge_method="MD5"))["error"]

    for verifier in ("", "w" * 43, S256["code_challenge"], VERIFIER + "x" * 100):
        assert refused(public.redeem(public.code(browser, **S256), code_verifier=verifier))
    assert public.redeem(public.code(browser, **S256), code_verifier=VERIFIER).status_code == 200
    plain = {"code_challenge": "p" * 43, "code_challenge_method": "plain"}
    assert refused(public.redeem(public.code(browser, **plain), code_verifier=challenge_of("p" * 43)))
    assert public.redeem(public.code(browser, **plain), code_verifier="p" * 43).status_code == 200


def test_a_code_without_a_challenge_is_not_redeemed_with_a_verifier(app: Application, browser: Browser) -> None:
    """Somebody injected a code of another session into a client that uses PKCE."""
    assert refused(app.redeem(app.code(browser), code_verifier=VERIFIER))


def test_consent_cannot_be_forged(world: World, person: Person) -> None:
    app, browser = Application(world), signed_in(world, person)
    query = app.query()

    bare = browser.http.post("/oauth/authorize", data=query, follow_redirects=False)
    foreign = signed_in(world, world.user())
    token_of_other = Visit(app.ask(foreign)).tree.find(".//input[@name='authenticity_token']").get("value")
    borrowed = browser.http.post(
        "/oauth/authorize", data={**query, "authenticity_token": token_of_other}, follow_redirects=False
    )
    page = Visit(app.ask(browser))
    own = page.tree.find(".//form[@action='/oauth/authorize']//input[@name='authenticity_token']").get("value")
    cross = browser.http.post(
        "/oauth/authorize", data={**query, "authenticity_token": own}, headers={"Sec-Fetch-Site": "cross-site"},
        follow_redirects=False,
    )  # fmt: skip

    assert [bare.status_code, borrowed.status_code, cross.status_code] == [403, 403, 403]
    assert page.response.headers["x-frame-options"] == "DENY"
    token = plain_http.get(
        f"{world.server.url}/oauth/authorize", params=query, headers={"PRIVATE-TOKEN": person.token}
    )  # an API token is no browser session
    assert urlsplit(token.headers["location"]).path == "/users/sign_in"


def test_a_consent_holds_for_what_the_page_showed(world: World, browser: Browser) -> None:
    app = Application(world, scopes="read_user")
    page = Visit(app.ask(browser))
    own = page.tree.find(".//form[@action='/oauth/authorize']//input[@name='authenticity_token']").get("value")

    wider = browser.http.post(
        "/oauth/authorize", data={**app.query(scope="read_user api"), "authenticity_token": own}, follow_redirects=False
    )

    assert answer_of(wider)["error"] == "invalid_scope"


def test_signing_in_again_ends_the_session_that_was_there(world: World) -> None:
    password = "Right-Password-47"
    person = world.user(password=password, force_random_password=False)
    app, browser = Application(world, trusted=True), Browser(world.server)
    browser.http.cookies.set("_ingot_session", "planted", domain="127.0.0.1")
    browser.sign_in(person.username, password)
    before = browser.http.cookies["_ingot_session"]
    assert before != "planted"  # nobody chooses the session of somebody else
    form = browser.open(app.ask(browser, prompt="login").headers["location"])

    browser.http.follow_redirects = False
    browser.send(form, "/users/sign_in", **{"user[login]": person.username, "user[password]": password})

    assert browser.http.cookies["_ingot_session"] != before
    old = plain_http.get(f"{world.server.url}/-/user_settings/active_sessions", cookies={"_ingot_session": before})
    assert old.headers["location"].startswith("/users/sign_in")


def test_odd_bodies_are_refused_in_the_form_of_oauth(world: World, app: Application) -> None:
    url = f"{world.server.url}/oauth/token"
    cases: list[dict[str, Any]] = [
        {"content": b"{", "headers": {"Content-Type": "application/json"}},
        {"content": b"[1,2]", "headers": {"Content-Type": "application/json"}},
        {"json": {"grant_type": ["authorization_code"]}},
        {"json": {"grant_type": {"a": 1}}},
        {"content": b"grant_type=%ff", "headers": {"Content-Type": "application/x-www-form-urlencoded"}},
        {"data": {"grant_type": "refresh_token", "refresh_token": "x\x00y"}},
        {"data": {"grant_type": "client_credentials"}, "headers": {"Authorization": "Basic !!!"}},
        {"data": {"grant_type": "authorization_code", "code": "\u20ac", "redirect_uri": CALLBACK, **app.credentials}},
    ]
    for case in cases:
        answer = plain_http.post(url, **case)
        assert answer.status_code in (400, 401), case
        assert set(answer.json()) == {"error", "error_description"}, case
    too_long = plain_http.post(url, data={"grant_type": "x" * 200_000})
    assert too_long.status_code == 413


def test_guessed_device_codes_are_counted(world: World) -> None:
    browser = signed_in(world, world.user())
    form = browser.open("/oauth/device")

    guesses = (browser.send(form, "/oauth/device", user_code=f"GUESS{n:03}").status for n in range(100))

    assert any(status == 429 for status in guesses)
