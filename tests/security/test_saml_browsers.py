"""What a browser is told while signing in: where to go, which cookies to keep, what not to store."""

from pathlib import Path

import pytest

from tests.features.people.saml.conftest import SamlGroup
from tests.features.people.saml.signing_in import about
from tests.security.saml_groups import make_group
from tests.support import plain_http
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.world import World


@pytest.fixture(scope="module")
def group(world: World, tmp_path_factory: pytest.TempPathFactory) -> SamlGroup:
    return make_group(world, tmp_path_factory.mktemp("idp"))


TARGETS = (
    "https://evil.example/", "//evil.example", "/\\evil.example", "\\\\evil.example", "javascript:alert(1)",
    "/\t/evil.example", "/\r\nSet-Cookie: a=b", " //evil.example", "http:evil.example", "/" + "a" * 100_000,
    "////evil.example", "/\u2028/evil",
)  # fmt: skip


def test_no_relay_state_leads_elsewhere_or_into_headers(world: World, group: SamlGroup) -> None:
    for target in TARGETS:
        name = world.name("redirected")
        with group.browser() as browser:
            response = group.idp.response(name, f"{group.saml}/callback", attributes=about(name))
            entered = group.post(browser, response, relay_state=target)
            assert entered.status_code == 303
            assert entered.headers["location"] == "/-/user_settings/personal_access_tokens", target[:40]
            assert [key for key in entered.headers if key == "set-cookie"] == ["set-cookie"]


@pytest.mark.parametrize("page", ["metadata", "sso", "callback"])
@pytest.mark.parametrize("path", ["%00", "a%00b", "%ff", "%E2%80%AE", "x" * 5000, "..%2f..%2fetc", "%2e%2e"])
def test_odd_group_paths_are_not_found(world: World, page: str, path: str) -> None:
    url = f"{world.server.url}/groups/{path}/-/saml/{page}"
    answer = plain_http.post(url, data={"SAMLResponse": "x"}) if page == "callback" else plain_http.get(url)
    assert answer.status_code in (400, 404), answer.text


def test_a_session_is_never_taken_from_the_browser(world: World, group: SamlGroup) -> None:
    """A planted cookie does not become the session of whoever signs in."""
    name = world.name("fixed")
    with group.browser() as browser:
        browser.cookies.set("_ingot_session", "planted-by-an-attacker", domain="127.0.0.1")
        response = group.idp.response(name, f"{group.saml}/callback", attributes=about(name))
        entered = group.post(browser, response)
        assert "planted" not in entered.headers["set-cookie"]
        stolen = plain_http.get(
            f"{group.url}/-/user_settings/personal_access_tokens", cookies={"_ingot_session": "planted"}
        )
        assert stolen.status_code == 302


def test_cookies_and_pages_are_guarded(databases: Databases, tmp_path: Path) -> None:
    """Behind https cookies are `Secure`; scripts, other sites' forms, frames and caches get nothing."""
    with RunningServer(databases.fresh(tmp_path), tmp_path, base_url="https://forge.example") as server:
        world = World(server)
        group = make_group(world, tmp_path)
        name = world.name("guarded")
        with group.browser() as browser:
            url = f"{server.url}/groups/{group.org.path}/-/saml/callback"
            consumer = f"https://forge.example/groups/{group.org.path}/-/saml/callback"
            response = group.idp.response(name, consumer, attributes=about(name))
            entered = browser.post(url, data={"SAMLResponse": response})
            refused = browser.post(url, data={"SAMLResponse": response})

    assert entered.status_code == 303
    cookie = entered.headers["set-cookie"].lower()
    assert all(word in cookie for word in ("httponly", "samesite=lax", "; secure", "path=/"))
    assert entered.headers["cache-control"] == "no-store"
    assert refused.headers["content-security-policy"].startswith("default-src 'none'")
    assert refused.headers["x-content-type-options"] == "nosniff"
    assert refused.headers["x-frame-options"] == "DENY"
    assert refused.headers["referrer-policy"] == "no-referrer"
    assert refused.headers["cache-control"] == "no-store"
