"""A group whose identity provider speaks SCIM."""

import pytest

from tests.features.people.saml.conftest import make_saml_group, org
from tests.features.people.scim.provider_side import ScimGroup, make_scim_group
from tests.support.world import World

__all__ = ["make_saml_group", "org"]


@pytest.fixture
def acme(world: World) -> ScimGroup:
    """A private group with a provider and a token."""
    return make_scim_group(world, default_membership_role=20)
