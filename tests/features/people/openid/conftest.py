"""A server that lets people in by a provider."""

from collections.abc import Iterator

import pytest

from tests.features.people.openid.provider import Provider, running_provider
from tests.support.databases import Databases
from tests.support.faults import no_listener_fails
from tests.support.server import RunningServer


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with running_provider() as running:
        yield running


@pytest.fixture(scope="module")
def server(
    databases: Databases, provider: Provider, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningServer]:
    data = tmp_path_factory.mktemp("data")
    options = {
        "openid_issuer": provider.url, "openid_client_id": "ingot", "openid_client_secret": "s3cret",
        "openid_label": "Example SSO",
    }  # fmt: skip
    with no_listener_fails(), RunningServer(databases.fresh(data), data, **options) as running:
        yield running
