"""The three lists of merge requests are built once for each form of their filters, whatever the values."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.built_queries import filters_that_build, server_without_worker
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.world import World

# Values that find something, and other values of the same filters.
FILTERS = [
    ("state=opened", "state=opened"),
    ("labels=bug", "labels=ui"),
    ("labels=bug,rare&state=opened", "labels=ui,rare&state=opened"),
    ("search=hinge", "search=gate"),
    ("search=hin", "search=gat"),
    ("search=hinge%20squeaks&in=title", "search=gate%20creaks&in=title"),
    ("author_id=1&source_branch=hinge", "author_id=7&source_branch=gate"),
    ("author_username=root&milestone=First", "author_username=nobody&milestone=Second"),
    ("assignee_username=smith&reviewer_username=smith", "assignee_username=root&reviewer_username=root"),
    ("my_reaction_emoji=rocket&iids[]=1", "my_reaction_emoji=tada&iids[]=2&iids[]=3"),
    ("created_after=2020-01-01&updated_before=2200-01-01", "created_after=2021-01-01&updated_before=2200-02-02"),
    ("target_branch=main&wip=no&source_project_id={project}", "target_branch=old&wip=no&source_project_id=0"),
    ("not[labels]=ui&not[milestone]=Second", "not[labels]=bug&not[milestone]=First"),
    ("not[author_id]=7&not[assignee_id]=1", "not[author_id]=8&not[assignee_id]=2"),
    ("not[author_username]=nobody&not[reviewer_username]=root", "not[author_username]=me&not[reviewer_username]=smith"),
    ("approved_by_usernames=smith&not[my_reaction_emoji]=tada", "approved_by_usernames=root&not[my_reaction_emoji]=x"),
]


@pytest.fixture(scope="module")
def server(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with server_without_worker(databases, tmp_path_factory.mktemp("data")) as running:
        yield running


@pytest.fixture(scope="module")
def project(world: World) -> dict[str, Any]:
    """A project of a group, with two merge requests."""
    smith = world.user("smith")
    created = world.project(namespace_id=world.group()["id"], initialize_with_readme=True)
    world.member(created, smith, "developer")
    place = f"/projects/{created['id']}"
    milestone = world.admin.ok("POST", f"{place}/milestones", json={"title": "First"})["id"]
    people = {"assignee_ids": [smith.id], "reviewer_ids": [smith.id], "milestone_id": milestone}
    world.merge_request(created, source_branch="hinge", title="Hinge squeaks", labels="bug,rare", **people)
    world.merge_request(created, source_branch="gate", title="Gate creaks", labels="ui")
    world.admin.ok("POST", f"{place}/merge_requests/1/award_emoji", json={"name": "rocket"})
    smith.client.ok("POST", f"{place}/merge_requests/1/approve")
    return created


@pytest.mark.parametrize("place", ["/projects/{project}", "/groups/{group}", ""])
def test_lists_are_built_once_for_all_values_of_filters(
    server: RunningServer, world: World, project: dict[str, Any], place: str
) -> None:
    ids = {"project": project["id"], "group": project["namespace"]["id"]}
    start = "" if place else "scope=all&"
    filters = [(f"{start}{first}".format(**ids), f"{start}{second}".format(**ids)) for first, second in FILTERS]

    assert filters_that_build(server, world.admin, f"{place.format(**ids)}/merge_requests", filters) == {}


def test_long_searches_are_built_at_each_call_and_find_the_same(world: World, project: dict[str, Any]) -> None:
    path = f"/projects/{project['id']}/merge_requests"

    for _ in range(2):
        assert [one["iid"] for one in world.admin.get(path, search="h i n g e squeaks").json()] == [1]
        assert world.admin.get(path, search="h i n g e creaks").json() == []
