"""`approved=yes|no`, behind its flag: what the filter says is what each request's approvals say."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.world import Person, World

FLAG = "/features/mr_approved_filter"


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture
def switched_on(world: World) -> Iterator[None]:
    world.admin.ok("POST", FLAG, json={"value": True})
    yield
    world.admin.delete(FLAG)


def requests(world: World, owner: Person, project: dict[str, Any], count: int) -> list[str]:
    made = [world.merge_request(project, owner) for _ in range(count)]
    return [f"/projects/{project['id']}/merge_requests/{one['iid']}" for one in made]


@pytest.mark.usefixtures("switched_on")
def test_rules_are_met_by_the_people_they_name(world: World, owner: Person) -> None:
    group = world.group(owner)
    project = world.project(owner, initialize_with_readme=True)
    named, other, member = world.user(), world.user(), world.user()
    world.member(group, member, "developer", kind="groups")
    for person in (named, other, member):
        world.member(project, person, "developer")
    rules = f"/projects/{project['id']}/approval_rules"
    owner.client.ok("POST", f"/projects/{project['id']}/share", json={"group_id": group["id"], "group_access": 30})
    for wish in (
        {"name": "by name", "approvals_required": 1, "user_ids": [named.id]},
        {"name": "by group", "approvals_required": 1, "group_ids": [group["id"]]},
        {"name": "of too few", "approvals_required": 3, "user_ids": [named.id]},
    ):
        owner.client.ok("POST", rules, json=wish)
    whole, half, wrong, own, bare = requests(world, owner, project, 5)
    for path, people in ((whole, (named, member)), (half, (named,)), (wrong, (other,)), (own, (other,))):
        for person in people:
            person.client.ok("POST", f"{path}/approve")
    for rule in owner.client.ok("GET", f"{own}/approval_rules"):
        owner.client.ok("DELETE", f"{own}/approval_rules/{rule['id']}")
    owner.client.ok("POST", f"{own}/approval_rules", json={"name": "anybody", "approvals_required": 1})

    listed = {
        word: {
            one["iid"] for one in owner.client.get(f"/projects/{project['id']}/merge_requests", approved=word).json()
        }
        for word in ("yes", "no")
    }

    numbers = {path: int(path.rpartition("/")[2]) for path in (whole, half, wrong, own, bare)}
    assert listed == {"yes": {numbers[whole], numbers[own]}, "no": {numbers[half], numbers[wrong], numbers[bare]}}
    for path, number in numbers.items():
        assert owner.client.ok("GET", f"{path}/approvals")["approved"] is (number in listed["yes"])


@pytest.mark.usefixtures("switched_on")
def test_without_rules_one_approval_is_enough(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    friend = world.user()
    world.member(project, friend, "developer")
    given, bare = requests(world, owner, project, 2)
    friend.client.ok("POST", f"{given}/approve")
    path = f"/projects/{project['id']}/merge_requests"

    assert [one["iid"] for one in owner.client.get(path, approved="yes").json()] == [int(given.rpartition("/")[2])]
    assert [one["iid"] for one in owner.client.get(path, approved="no").json()] == [int(bare.rpartition("/")[2])]


def test_the_filter_is_ignored_while_its_flag_is_off(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    requests(world, owner, project, 2)

    assert len(owner.client.get(f"/projects/{project['id']}/merge_requests", approved="yes").json()) == 2
