"""One owner with a project and a group for all tests of a module."""

from typing import Any

import pytest

from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user(name="Ada Owner")


@pytest.fixture(scope="module")
def group(world: World, owner: Person) -> dict[str, Any]:
    return world.group(owner, visibility="public")


@pytest.fixture
def project(world: World, owner: Person) -> dict[str, Any]:
    return world.project(owner, visibility="public")


@pytest.fixture
def pages(project: dict[str, Any]) -> str:
    return f"/projects/{project['id']}/wikis"
