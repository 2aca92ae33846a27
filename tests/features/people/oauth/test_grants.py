"""Grants: codes, refreshing, devices, passwords, clients; and what the tokens open."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from ingot.identity.oauth_tables import oauth_access_tokens, oauth_device_grants, oauth_grants
from ingot.kit.clock import now
from tests.features.code.git_http.git_client import GitClient
from tests.features.people.oauth.flows import (
    CALLBACK,
    Application,
    answer_of,
    bearer,
    challenge_of,
    signed_in,
    token,
)
from tests.support import plain_http
from tests.support.world import Person, World
from tests.web.browsing import Browser, Visit

CONFIRM = "/-/user_settings/confirm_access"
DEVICE = "urn:ietf:params:oauth:grant-type:device_code"


@pytest.fixture(scope="module")
def person(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def browser(world: World, person: Person) -> Browser:
    return signed_in(world, person)


@pytest.fixture(scope="module")
def app(world: World) -> Application:
    return Application(world)


def expire(world: World, table: Any) -> None:
    """Let every row of a table end a moment ago."""
    with world.server.services.db.write() as tx:
        tx.execute(update(table).values(expires_at=now() - timedelta(seconds=1)))
    world.server.services.tokens.forget()


def post(world: World, path: str, **body: str) -> Any:
    return plain_http.post(f"{world.server.url}{path}", data=body)


def test_a_code_is_exchanged_for_tokens_that_open_the_api(
    world: World, app: Application, browser: Browser, person: Person
) -> None:
    tokens = app.tokens(browser, scope="api")

    assert {name: tokens[name] for name in ("token_type", "expires_in", "scope")} == {
        "token_type": "Bearer", "expires_in": 7200, "scope": "api"
    }  # fmt: skip
    assert "id_token" not in tokens
    assert bearer(world, tokens["access_token"], "/user").json()["id"] == person.id
    by_parameter = plain_http.get(f"{world.server.url}/api/v4/user?access_token={tokens['access_token']}")
    assert by_parameter.json()["id"] == person.id
    info = plain_http.get(
        f"{world.server.url}/oauth/token/info", headers={"Authorization": f"Bearer {tokens['access_token']}"}
    ).json()
    assert (info["resource_owner_id"], info["scope"], info["application"]) == (person.id, ["api"], {"uid": app.uid})


def test_visitors_sign_in_first_and_come_back(world: World, app: Application) -> None:
    visitor = Browser(world.server)

    response = app.ask(visitor)

    assert response.headers["location"].startswith("/users/sign_in?return_to=%2Foauth%2Fauthorize")
    form = visitor.open(response.headers["location"])
    assert "form-action 'self' https://client.example.com;" in form.response.headers["content-security-policy"]


def test_consent_is_asked_once_and_refusing_is_an_answer(world: World, browser: Browser) -> None:
    fresh = Application(world, scopes="read_user api")
    page = fresh.ask(browser, scope="read_user")
    assert "Read your profile." in page.text
    assert "form-action 'self' https://client.example.com;" in page.headers["content-security-policy"]
    assert answer_of(fresh.decide(browser, page, allow=False))["error"] == "access_denied"
    silent = answer_of(fresh.ask(browser, scope="read_user", prompt="none"))
    assert (silent["error"], silent["state"]) == ("consent_required", "s-1")

    fresh.tokens(browser, scope="read_user")

    assert "code" in answer_of(fresh.ask(browser, scope="read_user", prompt="none"))
    assert fresh.ask(browser, scope="api").status_code == 200
    assert fresh.ask(browser, scope="read_user", prompt="consent").status_code == 200


def test_consent_is_given_by_people_who_lately_proved_who_they_are(world: World) -> None:
    person = world.user(password="Right-Password-47", force_random_password=False)
    browser, first, second = Browser(world.server), Application(world), Application(world)
    browser.sign_in(person.username, "Right-Password-47")
    page, proof = first.ask(browser), {"user[password]": "Right-Password-47"}
    policy = "form-action 'self' https://client.example.com;"
    browser.set_proof(now() - timedelta(minutes=11))

    response = second.ask(browser)  # asks before the page is shown
    form = browser.open(response.headers["location"])
    assert (form.path, policy in form.response.headers["content-security-policy"]) == (CONFIRM, True)
    shown = browser.send(form, CONFIRM, **proof)
    assert (shown.path, bool(shown.tree.xpath("//form[@action='/oauth/authorize']"))) == ("/oauth/authorize", True)
    browser.set_proof(now() - timedelta(minutes=11))
    asked = Visit(first.decide(browser, page))  # and before what was shown earlier counts
    assert (asked.status, "Confirm access" in asked.text) == (401, True)
    again = browser.send(asked, CONFIRM, **proof)
    assert policy in again.response.headers["content-security-policy"]
    assert "code" in answer_of(first.decide(browser, again.response))


def test_trusted_applications_do_not_ask(world: World, browser: Browser) -> None:
    assert "code" in answer_of(Application(world, trusted=True).ask(browser))


def test_an_application_may_ask_for_a_fresh_sign_in(app: Application, browser: Browser) -> None:
    for requested in ({"prompt": "login"}, {"max_age": "0"}):
        response = app.ask(browser, **requested)
        assert response.headers["location"].startswith("/users/sign_in?again=true&return_to=")
        assert "Password" in browser.open(response.headers["location"]).text


def test_answers_come_in_the_way_that_was_asked_for(app: Application, browser: Browser) -> None:
    app.tokens(browser)

    assert "#code=" in app.ask(browser, response_mode="fragment").headers["location"]
    page = app.ask(browser, response_mode="form_post")
    assert f'action="{CALLBACK}"' in page.text
    assert answer_of(app.ask(browser, response_mode="pigeon"))["error"] == "invalid_request"


def test_a_refreshed_pair_replaces_the_old_one_when_it_is_used(
    world: World, app: Application, browser: Browser
) -> None:
    first = app.tokens(browser, scope="api")
    lost = app.refresh(first["refresh_token"]).json()
    assert bearer(world, first["access_token"], "/user").status_code == 200

    second = app.refresh(first["refresh_token"]).json()

    assert bearer(world, lost["access_token"], "/user").status_code == 401
    assert bearer(world, second["access_token"], "/user").status_code == 200
    assert bearer(world, first["access_token"], "/user").json()["error_description"].startswith("Token was revoked")
    assert app.refresh(second["refresh_token"], scope="sudo").json()["error"] == "invalid_scope"


def test_an_expired_token_is_refused_and_can_be_refreshed(world: World, app: Application, browser: Browser) -> None:
    tokens = app.tokens(browser, scope="api")
    expire(world, oauth_access_tokens)

    refused = bearer(world, tokens["access_token"], "/user")

    assert (refused.status_code, refused.json()["error"]) == (401, "invalid_token")
    renewed = app.refresh(tokens["refresh_token"]).json()
    assert bearer(world, renewed["access_token"], "/user").status_code == 200


def test_codes_end_after_ten_minutes(world: World, app: Application, browser: Browser) -> None:
    code = app.code(browser)
    expire(world, oauth_grants)

    answer = app.redeem(code)

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_grant")


def test_scopes_count_at_every_door(world: World, browser: Browser, person: Person, tmp_path: Path) -> None:
    project = world.project(person, visibility="private", initialize_with_readme=True)
    narrow = Application(world, scopes="read_user read_repository write_repository read_api")
    address = world.server.url.replace("http://", "http://oauth2:{}@") + f"/{project['path_with_namespace']}.git"

    git = GitClient(tmp_path / "work")

    reading = narrow.tokens(browser, scope="read_user")["access_token"]
    assert bearer(world, reading, "/user").status_code == 200
    assert bearer(world, reading, f"/projects/{project['id']}").json()["error"] == "insufficient_scope"
    git.refused("ls-remote", address.format(reading))
    fetching = narrow.tokens(browser, scope="read_repository")["access_token"]
    assert "refs/heads/main" in git.ok("ls-remote", address.format(fetching))
    assert bearer(world, fetching, "/user").status_code == 403
    api = narrow.tokens(browser, scope="read_api")["access_token"]
    assert bearer(world, api, f"/projects/{project['id']}").status_code == 200
    assert bearer(world, api, f"/projects/{project['id']}/star", "POST").status_code == 403
    pushing = narrow.tokens(browser, scope="write_repository")["access_token"]
    git.ok("clone", "-q", address.format(fetching), ".")
    git.refused("push", "-q", address.format(fetching), "main:feature")
    git.ok("push", "-q", address.format(pushing), "main:feature")
    assert "refs/heads/feature" in git.ok("ls-remote", address.format(fetching))


def test_a_token_is_no_personal_access_token(world: World, app: Application, browser: Browser) -> None:
    access_token = app.tokens(browser, scope="api")["access_token"]

    assert bearer(world, access_token, "/personal_access_tokens/self").status_code == 400
    assert bearer(world, access_token, "/personal_access_tokens/self", "DELETE").status_code == 400


def test_a_device_waits_until_its_person_decides(world: World, browser: Browser, person: Person) -> None:
    app = Application(world, scopes="api openid", confidential=False)
    begun = post(world, "/oauth/authorize_device", client_id=app.uid, scope="api").json()
    assert (len(begun["user_code"]), begun["expires_in"], begun["interval"]) == (8, 300, 5)
    assert begun["verification_uri_complete"].endswith(f"/oauth/device?user_code={begun['user_code']}")
    asking = {"grant_type": DEVICE, "device_code": begun["device_code"], "client_id": app.uid}
    assert token(world, **asking).json()["error"] == "authorization_pending"
    assert token(world, **asking).json()["error"] == "slow_down"

    form = browser.open(f"/oauth/device?user_code={begun['user_code']}")
    confirm = browser.send(form, "/oauth/device")
    assert app.row["application_name"] in confirm.text
    assert "The device is signed in." in browser.send(confirm, "/oauth/device").text

    answer = token(world, **asking)
    assert bearer(world, answer.json()["access_token"], "/user").json()["id"] == person.id
    assert token(world, **asking).json()["error"] == "invalid_grant"
    assert browser.send(form, "/oauth/device").status == 422


def test_a_device_is_refused_or_too_late(world: World, browser: Browser) -> None:
    app = Application(world, scopes="api")
    begun = post(world, "/oauth/authorize_device", **app.credentials).json()
    confirm = browser.send(browser.open("/oauth/device"), "/oauth/device", user_code=begun["user_code"].lower())
    browser.send(confirm, "/oauth/device", decision="deny")
    asking = {"grant_type": "device_code", **app.credentials}
    assert token(world, device_code=begun["device_code"], **asking).json()["error"] == "access_denied"

    late = post(world, "/oauth/authorize_device", **app.credentials).json()
    expire(world, oauth_device_grants)

    assert token(world, device_code=late["device_code"], **asking).json()["error"] == "expired_token"
    assert token(world, device_code="0" * 64, **asking).json()["error"] == "invalid_grant"


def test_a_client_gets_a_token_of_its_own_that_opens_nothing(world: World, app: Application) -> None:
    answer = token(world, grant_type="client_credentials", scope="api", **app.credentials).json()

    assert "refresh_token" not in answer
    assert bearer(world, answer["access_token"], "/user").status_code == 401
    public = Application(world, confidential=False)
    refused = token(world, grant_type="client_credentials", **public.credentials)
    assert (refused.status_code, refused.json()["error"]) == (401, "unauthorized_client")


def test_the_password_grant_is_off_by_default(world: World, app: Application) -> None:
    answer = token(world, grant_type="password", username="root", password="x", **app.credentials)

    assert (answer.status_code, answer.json()["error"]) == (400, "unsupported_grant_type")


def test_missing_and_wrong_parameters_are_named(world: World, app: Application) -> None:
    cases = [
        ({}, 400, "Missing required parameter: grant_type."),
        ({"grant_type": "magic"}, 400, "The authorization grant type is not supported by the authorization server."),
        ({"grant_type": "authorization_code"}, 400, "Missing required parameter: code."),
        ({"grant_type": "refresh_token", "refresh_token": "x", "client_id": app.uid}, 401, "Client authentication"),
        ({"grant_type": "client_credentials"}, 401, "Client authentication failed"),
    ]
    for body, status, words in cases:
        answer = token(world, **body)
        assert answer.status_code == status, body
        assert answer.json()["error_description"].startswith(words)
        assert ("www-authenticate" in answer.headers) == (status == 401)


def test_clients_may_send_json_and_basic_and_come_from_other_sites(
    world: World, app: Application, browser: Browser
) -> None:
    code, url = app.code(browser, code_challenge=challenge_of("v" * 43), code_challenge_method="S256"), world.server.url
    preflight = plain_http.options(
        f"{url}/oauth/token",
        headers={"Origin": "https://spa.example", "Access-Control-Request-Method": "POST",
                 "Access-Control-Request-Headers": "authorization"},
    )  # fmt: skip
    assert preflight.headers["access-control-allow-origin"] == "*"

    answer = plain_http.post(
        f"{url}/oauth/token",
        json={"grant_type": "authorization_code", "code": code, "redirect_uri": CALLBACK, "code_verifier": "v" * 43},
        auth=(app.uid, app.row["secret"]),
    )

    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["access-control-allow-origin"] == "*"


def test_tokens_are_introspected_and_revoked_by_their_own_client(
    world: World, app: Application, browser: Browser
) -> None:
    tokens, other = app.tokens(browser, scope="api"), Application(world)
    asked = {"token": tokens["access_token"]}

    own = post(world, "/oauth/introspect", **asked, **app.credentials).json()
    assert (own["active"], own["scope"], own["client_id"], own["token_type"]) == (True, "api", app.uid, "Bearer")
    assert post(world, "/oauth/introspect", **asked, **other.credentials).json() == {"active": False}
    assert post(world, "/oauth/introspect", **asked).status_code == 401
    refused = post(world, "/oauth/revoke", **asked, **other.credentials)
    assert (refused.status_code, refused.json()["error"]) == (403, "unauthorized_client")
    assert bearer(world, tokens["access_token"], "/user").status_code == 200
    done = post(world, "/oauth/revoke", token=tokens["refresh_token"], **app.credentials)
    assert (done.status_code, done.json()) == (200, {})
    assert post(world, "/oauth/revoke", token="unknown", **app.credentials).json() == {}
    assert bearer(world, tokens["access_token"], "/user").status_code == 401
    assert post(world, "/oauth/introspect", **asked, **app.credentials).json() == {"active": False}


def test_blocking_a_person_and_deleting_an_application_end_their_tokens(world: World) -> None:
    app, person = Application(world), world.user()
    browser = signed_in(world, person)
    tokens = app.tokens(browser, scope="api")
    code = app.code(browser, scope="api")
    world.admin.ok("POST", f"/users/{person.id}/block")
    assert bearer(world, tokens["access_token"], "/user").status_code == 401
    assert app.redeem(code).json()["error"] == "invalid_grant"
    assert app.refresh(tokens["refresh_token"]).json()["error"] == "invalid_grant"
    world.admin.ok("POST", f"/users/{person.id}/unblock")
    assert bearer(world, tokens["access_token"], "/user").status_code == 401

    again = app.tokens(signed_in(world, person), scope="api")
    assert bearer(world, again["access_token"], "/user").status_code == 200
    world.admin.ok("DELETE", f"/applications/{app.row['id']}")
    assert bearer(world, again["access_token"], "/user").status_code == 401
