"""The page of a group's identity provider."""

import pytest

from tests.support.server import RunningServer
from tests.web.browsing import Browser

pytestmark = pytest.mark.costly


def test_addresses_are_shown_before_the_provider_is_set_up(smithy: RunningServer, ada: Browser) -> None:
    page = ada.open("/groups/smithy/-/saml")
    assert page.status == 200
    assert f"{smithy.url}/groups/smithy/-/saml/callback" in page.text
    below = ada.open("/groups/smithy/tools/-/saml")  # only top-level groups have one
    assert (below.status, "/-/saml/callback" in below.text) == (200, False)
