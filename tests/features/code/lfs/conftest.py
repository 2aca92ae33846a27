"""A project for large files."""

from typing import Any

import pytest

from tests.support.world import World


@pytest.fixture
def project(world: World) -> dict[str, Any]:
    options = {"name": world.name("lfs"), "initialize_with_readme": True}
    created: dict[str, Any] = world.admin.ok("POST", "/projects", json=options)
    return created
