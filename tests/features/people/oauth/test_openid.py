"""OpenID Connect, as client libraries see it: discovery, keys, identity tokens, userinfo, rotation of keys."""

from datetime import timedelta
from typing import Any

import pytest
from authlib.integrations.requests_client import OAuth2Session
from joserfc import jwt
from joserfc.jwk import KeySet
from sqlalchemy import func, select, update

from ingot.identity import signing_keys
from ingot.identity.oauth_tables import signing_keys as key_table
from ingot.kit.clock import now
from tests.features.people.oauth.flows import CALLBACK, Application, signed_in
from tests.support import plain_http
from tests.support.world import Person, World
from tests.web.browsing import Browser, Visit


@pytest.fixture(scope="module")
def person(world: World) -> Person:
    return world.user(name="Ada Lovelace")


@pytest.fixture(scope="module")
def browser(world: World, person: Person) -> Browser:
    return signed_in(world, person)


@pytest.fixture(scope="module")
def app(world: World) -> Application:
    return Application(world)


def get(world: World, path: str, **options: Any) -> Any:
    response = plain_http.get(f"{world.server.url}{path}", **options)
    assert response.status_code == 200, response.text
    return response.json()


def claims_of(world: World, token: str) -> dict[str, Any]:
    """The claims of a token that the published keys verify."""
    keys = KeySet.import_key_set(get(world, "/oauth/discovery/keys"))
    claims: dict[str, Any] = jwt.decode(token, keys, algorithms=["RS256"]).claims
    return claims


def userinfo(world: World, token: str) -> dict[str, Any]:
    result: dict[str, Any] = get(world, "/oauth/userinfo", headers={"Authorization": f"Bearer {token}"})
    return result


def test_a_client_library_finds_its_way_by_discovery(world: World, browser: Browser, person: Person) -> None:
    app = Application(world)  # nobody allowed it anything yet
    provider = get(world, "/.well-known/openid-configuration")
    library = OAuth2Session(
        app.uid, app.row["secret"], scope="openid email", redirect_uri=CALLBACK, code_challenge_method="S256",
        default_timeout=plain_http.PATIENCE,
    )  # fmt: skip
    url, state = library.create_authorization_url(
        provider["authorization_endpoint"], nonce="n-1", code_verifier="v" * 48
    )
    page = browser.http.get(url, follow_redirects=False)
    back = app.decide(browser, page).headers["location"]

    tokens = library.fetch_token(
        provider["token_endpoint"], authorization_response=back, state=state, code_verifier="v" * 48
    )

    claims = claims_of(world, tokens["id_token"])
    assert {name: claims[name] for name in ("iss", "sub", "aud", "nonce", "email", "email_verified")} == {
        "iss": world.server.url, "sub": str(person.id), "aud": app.uid, "nonce": "n-1",
        "email": f"{person.username}@example.com", "email_verified": True,
    }  # fmt: skip
    assert claims["exp"] - claims["iat"] == 120
    assert claims["auth_time"] <= claims["iat"]
    profile = library.get(provider["userinfo_endpoint"]).json()
    assert (profile["sub"], profile["nickname"], profile["name"]) == (str(person.id), person.username, "Ada Lovelace")
    renewed = library.refresh_token(provider["token_endpoint"])
    assert renewed["access_token"] != tokens["access_token"]
    library.close()


def test_the_documents_describe_what_is_there(world: World) -> None:
    provider = get(world, "/.well-known/openid-configuration")

    assert get(world, "/.well-known/oauth-authorization-server") == provider
    assert provider["issuer"] == world.server.url
    assert provider["code_challenge_methods_supported"] == ["plain", "S256"]
    assert "password" not in provider["grant_types_supported"]
    assert get(world, "/-/jwks") == get(world, "/oauth/discovery/keys")
    keys = get(world, "/oauth/discovery/keys")["keys"]
    assert {"kty", "n", "e", "kid", "use", "alg"} == set(keys[0])
    finger = get(world, "/.well-known/webfinger", params={"resource": "acct:ada@example.com"})
    assert finger["links"][0]["href"] == world.server.url
    for endpoint in ("authorization", "token", "revocation", "introspection", "userinfo", "device_authorization"):
        answer = plain_http.request("GET", provider[f"{endpoint}_endpoint"])
        assert answer.status_code != 404, endpoint


def test_userinfo_tells_groups_and_hides_the_address_without_its_scope(
    world: World, app: Application, browser: Browser, person: Person
) -> None:
    group = world.group(person)
    inner = world.group(person, parent_id=group["id"])

    profile = userinfo(world, app.tokens(browser, scope="openid profile")["access_token"])

    assert group["full_path"] in profile["groups"]
    assert inner["full_path"] in profile["groups"]
    assert group["full_path"] in profile["https://gitlab.org/claims/groups/owner"]
    assert "https://gitlab.org/claims/groups/maintainer" not in profile
    assert "email" not in profile
    assert "email" in userinfo(world, app.tokens(browser, scope="openid email")["access_token"])


def test_userinfo_wants_a_token_with_openid(world: World, app: Application, browser: Browser) -> None:
    address = f"{world.server.url}/oauth/userinfo"
    for token in (app.tokens(browser, scope="api")["access_token"], "0" * 64, "x"):
        answer = plain_http.get(address, headers={"Authorization": f"Bearer {token}"})
        assert (answer.status_code, answer.json()["error"]) == (401, "invalid_token")


def test_a_new_key_signs_and_the_old_one_still_verifies(world: World, app: Application, browser: Browser) -> None:
    services = world.server.services
    before = app.tokens(browser, scope="openid")["id_token"]

    kid = signing_keys.rotate(services)

    after = app.tokens(browser, scope="openid")["id_token"]
    assert jwt.decode(after, KeySet.import_key_set(get(world, "/-/jwks"))).header["kid"] == kid
    assert claims_of(world, before)["sub"] == claims_of(world, after)["sub"]


def test_old_keys_are_replaced_and_forgotten_by_themselves(world: World) -> None:
    services = world.server.services
    signing_keys.rotate(services)
    long_ago = now() - timedelta(days=200)
    with services.db.write() as tx:
        tx.execute(update(key_table).values(created_at=long_ago))

    signing_keys.rotate_if_due(services)
    with services.db.read() as conn:
        assert conn.execute(select(func.count()).select_from(key_table)).scalar_one() >= 2
    with services.db.write() as tx:
        tx.execute(
            update(key_table).where(key_table.c.created_at > long_ago).values(created_at=now() - timedelta(days=60))
        )
    signing_keys.rotate_if_due(services)

    assert len(get(world, "/-/jwks")["keys"]) == 1


def test_the_authorisation_page_refuses_what_it_cannot_answer(world: World, browser: Browser) -> None:
    page = Visit(browser.http.get("/oauth/authorize"))

    assert (page.status, "Missing required parameter: client_id." in page.text) == (400, True)
