"""A client application of the tests: it sends people to the provider and redeems what comes back."""

import base64
import hashlib
import secrets
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx

from tests.support import plain_http
from tests.support.world import Person, World
from tests.web.browsing import Browser, Visit

CALLBACK = "https://client.example.com/callback"


def challenge_of(verifier: str) -> str:
    """The S256 challenge of a verifier."""
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")


def answer_of(response: httpx.Response) -> dict[str, str]:
    """What the provider sent to the client's address."""
    assert response.status_code in (302, 303), response.text
    target = urlsplit(response.headers["location"])
    return dict(parse_qsl(target.query or target.fragment))


@dataclass
class Application:
    """A registered application."""

    world: World
    scopes: str = "api openid profile email"
    redirect_uri: str = CALLBACK
    confidential: bool = True
    trusted: bool = False
    row: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        body = {
            "name": self.world.name("app"), "redirect_uri": self.redirect_uri, "scopes": self.scopes,
            "confidential": self.confidential, "trusted": self.trusted,
        }  # fmt: skip
        self.row = self.world.admin.ok("POST", "/applications", json=body)

    @property
    def uid(self) -> str:
        return str(self.row["application_id"])

    @property
    def credentials(self) -> dict[str, str]:
        """What proves the application in a body."""
        return {"client_id": self.uid, "client_secret": self.row["secret"]} if self.confidential else {
            "client_id": self.uid
        }  # fmt: skip

    def query(self, **more: str) -> dict[str, str]:
        """The parameters of an authorisation request."""
        first = self.redirect_uri.split()[0]
        basic = {"client_id": self.uid, "redirect_uri": first, "response_type": "code", "state": "s-1"}
        return {**basic, "scope": self.scopes, **more}

    def ask(self, browser: Browser, **more: str) -> httpx.Response:
        """Open the authorisation page, without following a redirect."""
        return browser.http.get("/oauth/authorize", params=self.query(**more), follow_redirects=False)

    def decide(self, browser: Browser, page: httpx.Response, *, allow: bool = True) -> httpx.Response:
        """Press a button of the consent page."""
        form = Visit(page).tree.findall(".//form[@action='/oauth/authorize']")[0 if allow else 1]
        values = {one.get("name"): one.get("value") for one in form.iter("input")}
        return browser.http.post("/oauth/authorize", data=values, follow_redirects=False)

    def code(self, browser: Browser, **more: str) -> str:
        """A code, with a press of the button where it is needed."""
        response = self.ask(browser, **more)
        if response.status_code == 200:
            response = self.decide(browser, response)
        return answer_of(response)["code"]

    def redeem(self, code: str, **more: str) -> httpx.Response:
        first = self.redirect_uri.split()[0]
        body = {"grant_type": "authorization_code", "code": code, "redirect_uri": first, **self.credentials, **more}
        return token(self.world, **body)

    def tokens(self, browser: Browser, **more: str) -> dict[str, Any]:
        """The whole way: consent, code, tokens."""
        verifier = secrets.token_urlsafe(48)
        challenge = {"code_challenge": challenge_of(verifier), "code_challenge_method": "S256"}
        response = self.redeem(self.code(browser, **challenge, **more), code_verifier=verifier)
        assert response.status_code == 200, response.text
        result: dict[str, Any] = response.json()
        return result

    def refresh(self, refresh_token: str, **more: str) -> httpx.Response:
        return token(self.world, grant_type="refresh_token", refresh_token=refresh_token, **self.credentials, **more)


def token(world: World, **body: str) -> httpx.Response:
    """Ask the token endpoint."""
    return plain_http.post(f"{world.server.url}/oauth/token", data=body)


def signed_in(world: World, person: Person) -> Browser:
    """A browser with a session of this person."""
    browser = Browser(world.server)
    browser.enter_by_link(person.username)
    return browser


def bearer(world: World, access_token: str, path: str, method: str = "GET") -> httpx.Response:
    """Call the API with an access token."""
    headers = {"Authorization": f"Bearer {access_token}"}
    return plain_http.request(method, f"{world.server.url}/api/v4{path}", headers=headers)
