"""Everyday requests run queries that were built before: building one costs several times as much as running it."""

from collections.abc import Callable, Iterator

import pytest

from ingot.kit.statements.plans import plans_for
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.world import World

ANEW = {"Cache-Control": "no-cache"}


@pytest.fixture(scope="module")
def server(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server without a worker, whose queries would be counted too."""
    data = tmp_path_factory.mktemp("data")
    with RunningServer(databases.fresh(data), data, worker=False) as running:
        yield running


@pytest.fixture(scope="module")
def issue(world: World) -> str:
    """The address of an issue with everything that is shown of one."""
    owner = world.user()
    place = f"/projects/{world.project(owner)['id']}"
    milestone = world.admin.ok("POST", f"{place}/milestones", json={"title": "First"})
    body = {"title": "Hinge", "labels": "bug", "assignee_ids": [owner.id], "milestone_id": milestone["id"]}
    return f"{place}/issues/{world.admin.ok('POST', f'{place}/issues', json=body)['iid']}"


def built_queries(server: RunningServer, request: Callable[[], object]) -> int:
    """How many queries a request builds that was made before."""
    request()
    plans = plans_for(server.services.db.reader.dialect)
    before = plans.built_queries
    request()
    return plans.built_queries - before


def test_reading_oneself_builds_none(server: RunningServer, world: World) -> None:
    assert built_queries(server, lambda: world.admin.ok("GET", "/user", headers=ANEW)) == 0


@pytest.mark.parametrize("page", ["", "?per_page=20&state=opened&scope=assigned_to_me"])
def test_reading_issues_builds_none(server: RunningServer, world: World, issue: str, page: str) -> None:
    stranger = world.user()
    path = f"{issue.rpartition('/')[0]}{page}" if page else issue

    assert built_queries(server, lambda: world.admin.ok("GET", path, headers=ANEW)) == 0
    # Whether another may read it is asked by the same query, with another value.
    assert built_queries(server, lambda: stranger.client.get(path, headers=ANEW)) == 0


def test_changing_an_issue_builds_what_its_locks_need(server: RunningServer, world: World, issue: str) -> None:
    titles = iter(["Hinge squeaks", "Hinge is oiled"])

    assert built_queries(server, lambda: world.admin.ok("PUT", issue, json={"title": next(titles)})) <= 2


def test_groups_that_are_closed_to_an_address_are_values(server: RunningServer, world: World, issue: str) -> None:
    caller, owner = world.user(), world.user()
    paths = (issue, issue.rpartition("/issues/")[0], "/projects?per_page=20")
    plans = plans_for(server.services.db.reader.dialect)
    built = []

    for _ in range(3):
        group = world.group(owner, visibility="public")
        world.admin.ok("PUT", f"/groups/{group['id']}", json={"ip_restriction_ranges": "192.0.2.0/24"})
        before = plans.built_queries
        for path in paths:
            caller.client.get(path, headers=ANEW)
        built.append(plans.built_queries - before)

    assert built[1:] == [0, 0]
