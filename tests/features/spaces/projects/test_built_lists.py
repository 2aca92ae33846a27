"""Lists of projects are built once for each form of their filters, whatever the values."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.built_queries import ANEW, built_queries, filters_that_build, server_without_worker
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.world import Person, World

# Values that find something, and other values of the same filters.
FILTERS = [
    ("search=anvil", "search=hammer"),
    ("search=anvil%20iron", "search=hammer%20oak"),
    ("search=anvil&search_namespaces=true", "search=hammer&search_namespaces=true"),
    ("search=anvil&order_by=similarity", "search=hammer&order_by=similarity"),
    ("id_after=0&visibility=private", "id_after=1&visibility=private"),
    ("order_by=id&pagination=keyset&id_after=0", "order_by=id&pagination=keyset&id_after=1"),
    ("topic=iron", "topic=oak"),
    ("last_activity_after=2020-01-01", "last_activity_after=2021-01-01"),
    ("last_activity_before=2200-01-01&min_access_level=30", "last_activity_before=2200-02-02&min_access_level=30"),
]


@pytest.fixture(scope="module")
def server(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with server_without_worker(databases, tmp_path_factory.mktemp("data")) as running:
        yield running


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user("smith")


@pytest.fixture(scope="module")
def group(world: World, owner: Person) -> dict[str, Any]:
    """A group with two projects."""
    created = world.group(owner)
    for name, topic in (("anvil", "iron"), ("hammer", "oak")):
        world.project(owner, name=name, path=name, namespace_id=created["id"], topics=topic, description=topic)
    return created


@pytest.mark.parametrize("path", ["/projects", "/groups/{group}/projects"])
def test_lists_are_built_once_for_all_values_of_filters(
    server: RunningServer, world: World, owner: Person, group: dict[str, Any], path: str
) -> None:
    place = path.format(group=group["id"])

    assert filters_that_build(server, owner.client, place, FILTERS) == {}


@pytest.mark.parametrize("kind", ["projects", "starred_projects"])
def test_lists_of_users_are_built_once_for_all_users(server: RunningServer, world: World, kind: str) -> None:
    people = [world.user(), world.user()]
    for person in people:
        person.client.ok("POST", f"/projects/{world.project(person)['id']}/star")
    paths = iter(people)

    def read() -> None:
        assert len(world.admin.ok("GET", f"/users/{next(paths).id}/{kind}", headers=ANEW)) == 1

    assert built_queries(server, read) == 0
