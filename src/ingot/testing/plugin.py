"""Fixtures for pytest: `ingot_server`, one process for the session, and `ingot`, a fresh instance for each test."""

from collections.abc import Callable, Iterator

import pytest

from ingot.testing.instance import Ingot
from ingot.testing.server import IngotServer


@pytest.fixture(scope="session")
def ingot_settings() -> dict[str, object]:
    """Settings of the server of the session; override the fixture to change them."""
    return {}


@pytest.fixture(scope="session")
def ingot_server(ingot_settings: dict[str, object]) -> Iterator[IngotServer]:
    """The server of the session."""
    with IngotServer(**ingot_settings) as server:
        yield server


@pytest.fixture
def ingot(ingot_server: IngotServer) -> Ingot:
    """An instance with nobody but its administrator: it is reset before each test."""
    instance = ingot_server.ingot
    instance.reset()
    return instance


@pytest.fixture
def make_ingot() -> Iterator[Callable[..., Ingot]]:
    """Further instances, each with a process and settings of its own: `other = make_ingot(tier="free")`."""
    servers: list[IngotServer] = []

    def start(**settings: object) -> Ingot:
        servers.append(IngotServer(**settings))
        return servers[-1].ingot

    yield start
    for server in servers:
        server.stop()
