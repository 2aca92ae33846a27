"""Groups with an identity provider for attacks on it, and what a refused response leaves behind: nothing."""

from pathlib import Path

import httpx

from tests.features.people.saml.conftest import SamlGroup
from tests.features.people.saml.identity_provider import IdentityProviderRole
from tests.features.people.saml.organisation import make_organisation
from tests.features.people.saml.signing_in import counts
from tests.support import plain_http
from tests.support.world import World


def make_group(world: World, folder: Path) -> SamlGroup:
    """A group that trusts a new identity provider, whatever address the server is known by."""
    org = make_organisation(world)
    place = f"/groups/{org.id}/saml_provider"
    settings = {"sso_url": IdentityProviderRole.sso_url, "certificate_fingerprint": "00" * 32}
    org.owner.client.ok("PUT", place, json=settings)
    metadata = plain_http.get(f"{world.server.url}/groups/{org.path}/-/saml/metadata")
    home = folder / f"idp-{org.id}"
    home.mkdir()
    idp = IdentityProviderRole(home, metadata.text)
    org.owner.client.ok("PUT", place, json={"certificate": idp.certificate})
    return SamlGroup(org, idp, world.server.url)


def assert_refused(world: World, group: SamlGroup, response: str) -> httpx.Response:
    """The response is answered with 403 and leaves neither rows nor cookies behind."""
    before = counts(world)
    with group.browser() as browser:
        answer = group.post(browser, response)
        assert answer.status_code == 403, answer.text
        assert not browser.cookies
    assert counts(world) == before
    return answer
