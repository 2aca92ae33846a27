"""Everyday requests run queries that were built before: building one costs several times as much as running it."""

from collections.abc import Iterator
from typing import Any

import pytest

from ingot.kit.clock import today
from ingot.kit.statements.plans import plans_for
from tests.support.built_queries import ANEW, built_queries, filters_that_build, server_without_worker
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.world import World

# Values that find something, and other values of the same filters.
FILTERS = [
    ("labels=bug", "labels=ui"),
    ("search=hinge", "search=gate"),
    ("search=hinge&in=title&author_username=root", "search=gate&in=title&author_username=nobody"),
    ("author_id=1&milestone=First", "author_id=7&milestone=Second"),
    ("milestone=%23started&due_date=any", "milestone=%23started&due_date=any"),
    ("due_date=month&iids[]=1", "due_date=month&iids[]=2&iids[]=3"),
    ("assignee_username=smith&my_reaction_emoji=rocket", "assignee_username=nobody&my_reaction_emoji=tada"),
    ("created_after=2020-01-01&updated_before=2200-01-01", "created_after=2021-01-01&updated_before=2200-02-02"),
    ("weight=3&not[weight]=4&not[iids][]=7", "weight=5&not[weight]=6&not[iids][]=8&not[iids][]=9"),
    ("not[labels]=ui&not[milestone]=Second", "not[labels]=bug&not[milestone]=First"),
    ("not[author_username]=nobody&not[assignee_id]=1", "not[author_username]=root&not[assignee_id]=2"),
]


@pytest.fixture(scope="module")
def server(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with server_without_worker(databases, tmp_path_factory.mktemp("data")) as running:
        yield running


@pytest.fixture(scope="module")
def group(world: World) -> dict[str, Any]:
    """The group above the project."""
    return world.group()


@pytest.fixture(scope="module")
def issue(world: World, group: dict[str, Any]) -> str:
    """The address of an issue with everything that is shown of one."""
    owner = world.user("smith")
    project = world.project(namespace_id=group["id"])
    world.member(project, owner, "developer")
    place = f"/projects/{project['id']}"
    milestone = {"title": "First", "start_date": "2020-01-01"}
    number = world.admin.ok("POST", f"{place}/milestones", json=milestone)["id"]
    world.admin.ok("POST", f"{place}/labels", json={"name": "ui", "color": "#ffffff"})
    body = {
        "title": "Hinge", "labels": "bug", "assignee_ids": [owner.id], "milestone_id": number, "weight": 3,
        "due_date": today().isoformat(),
    }  # fmt: skip
    created = f"{place}/issues/{world.admin.ok('POST', f'{place}/issues', json=body)['iid']}"
    world.admin.ok("POST", f"{created}/award_emoji", json={"name": "rocket"})
    world.admin.ok("POST", f"{place}/issues", json={"title": "Gate", "labels": "ui"})
    return created


def test_reading_oneself_builds_none(server: RunningServer, world: World) -> None:
    assert built_queries(server, lambda: world.admin.ok("GET", "/user", headers=ANEW)) == 0


@pytest.mark.parametrize("page", ["", "?per_page=20&state=opened&scope=assigned_to_me"])
def test_reading_issues_builds_none(server: RunningServer, world: World, issue: str, page: str) -> None:
    stranger = world.user()
    path = f"{issue.rpartition('/')[0]}{page}" if page else issue

    assert built_queries(server, lambda: world.admin.ok("GET", path, headers=ANEW)) == 0
    # Whether another may read it is asked by the same query, with another value.
    assert built_queries(server, lambda: stranger.client.get(path, headers=ANEW)) == 0


@pytest.mark.parametrize("kind", ["issues", "issues_statistics"])
def test_lists_of_issues_are_built_once_for_all_values_of_filters(
    server: RunningServer, world: World, group: dict[str, Any], issue: str, kind: str
) -> None:
    project = issue.rpartition("/issues/")[0]
    everywhere = [(f"scope=all&{first}", f"scope=all&{second}") for first, second in FILTERS]

    assert filters_that_build(server, world.admin, f"{project}/{kind}", FILTERS) == {}
    assert filters_that_build(server, world.admin, f"/groups/{group['id']}/{kind}", FILTERS) == {}
    assert filters_that_build(server, world.admin, f"/{kind}", everywhere) == {}


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
