"""A group with each kind of caller, and the identity provider that it trusts."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.features.people.saml.identity_provider import IdentityProviderRole
from tests.features.people.saml.organisation import Organisation, make_organisation
from tests.support import plain_http
from tests.support.world import World


@pytest.fixture
def org(world: World) -> Organisation:
    """A top-level group without a provider."""
    return make_organisation(world)


@dataclass
class SamlGroup:
    """A group with a configured provider, and the provider itself."""

    org: Organisation
    idp: IdentityProviderRole
    url: str

    @property
    def saml(self) -> str:
        return f"{self.url}/groups/{self.org.path}/-/saml"

    def browser(self) -> httpx.Client:
        """A browser without cookies."""
        return httpx.Client(base_url=self.url, timeout=120, verify=False)

    def post(self, browser: httpx.Client, response: str, relay_state: str = "") -> httpx.Response:
        """The browser brings a response of the identity provider."""
        return browser.post(f"{self.saml}/callback", data={"SAMLResponse": response, "RelayState": relay_state})

    def sign_in(self, browser: httpx.Client, name_id: str, **options: Any) -> httpx.Response:
        """The whole way: our sign-in address, the identity provider, and back."""
        asked = browser.get(f"{self.saml}/sso")
        assert asked.status_code == 302, asked.text
        request_id, consumer_url, _ = self.idp.read_request(asked.headers["location"])
        return self.post(browser, self.idp.response(name_id, consumer_url, in_response_to=request_id, **options))


@pytest.fixture
def make_saml_group(world: World, tmp_path: Path) -> Callable[..., SamlGroup]:
    """Configures a provider for a new group, from the metadata that the server shows."""

    def make(**settings: Any) -> SamlGroup:
        org = make_organisation(world)
        body = {"sso_url": IdentityProviderRole.sso_url, "certificate_fingerprint": "00" * 32, **settings}
        created = org.owner.client.ok("PUT", f"/groups/{org.id}/saml_provider", json=body)
        metadata = plain_http.get(created["metadata_url"])
        assert metadata.status_code == 200
        folder = tmp_path / str(org.id)
        folder.mkdir()
        idp = IdentityProviderRole(folder, metadata.text)
        org.owner.client.ok("PUT", f"/groups/{org.id}/saml_provider", json={"certificate": idp.certificate})
        return SamlGroup(org, idp, world.server.url)

    return make
