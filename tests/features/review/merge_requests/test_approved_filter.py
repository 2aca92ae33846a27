"""`approved=yes|no`, behind its flag: what the filter says is what each request's approvals say."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import insert, select

from ingot.features.code.protected_branches import protected_branches
from ingot.features.review.approval_settings.tables import NAMES, project_approval_settings
from ingot.features.review.approvals import (
    approval_project_rule_branches,
    approval_project_rule_users,
    approval_project_rules,
)
from ingot.features.review.approvals.tables import (
    approval_merge_request_rule_users,
    approval_merge_request_rules,
    approval_project_rule_groups,
    merge_request_committers,
)
from tests.features.review.merge_requests.lists_world import EPOCH, ListsWorld, Request
from tests.support.world import Person, World

FLAG = "/features/mr_approved_filter"
STAMP = {"created_at": EPOCH, "updated_at": EPOCH}


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture
def switched_on(world: World) -> Iterator[None]:
    world.admin.ok("POST", FLAG, json={"value": True})
    yield
    world.admin.delete(FLAG)


def requests(world: World, owner: Person, project: dict[str, Any], count: int) -> list[str]:
    created = [world.merge_request(project, owner) for _ in range(count)]
    return [f"/projects/{project['id']}/merge_requests/{one['iid']}" for one in created]


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
    for body in (
        {"name": "by name", "approvals_required": 1, "user_ids": [named.id]},
        {"name": "by group", "approvals_required": 1, "group_ids": [group["id"]]},
        {"name": "of too few", "approvals_required": 3, "user_ids": [named.id]},
    ):
        owner.client.ok("POST", rules, json=body)
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


def seed_rules(seeded: ListsWorld) -> None:
    """Rules of all kinds over the seeded requests: by branch, by pattern, by group, changed and unchanged copies."""
    world, dice = seeded.world, random.Random(7)
    people = [person.id for person in seeded.people]
    inner = seeded.projects["inner"]["namespace"]["id"]
    world.member({"id": inner}, seeded.people[3], "developer", kind="groups")
    with world.server.services.db.write() as tx:
        for name, project in seeded.projects.items():
            protected = {
                pattern: add(
                    tx,
                    protected_branches,
                    project_id=project["id"],
                    name=pattern,
                    **STAMP,
                    code_owner_approval_required=pattern == "stable",
                )
                for pattern in {"public": ("stable", "release/*"), "internal": ("MAIN", "rel[e]ase/*")}.get(name, ())
            }
            for number in range(dice.choice([0, 1, 2, 3]) if name != "public" else 4):
                rule = add(
                    tx, approval_project_rules, project_id=project["id"], name=f"R{number}",
                    approvals_required=dice.choice([0, 1, 1, 2]), **STAMP,
                    rule_type="any_approver" if number == 3 else "regular",
                    applies_to_all_protected_branches=number == 1,
                )  # fmt: skip
                limits = list(protected.values()) if number in (0, 3) else []
                for branch in dice.sample(limits, min(1, len(limits))):
                    tx.execute(insert(approval_project_rule_branches).values(rule_id=rule, protected_branch_id=branch))
                for user_id in dice.sample(people, dice.choice([0, 1, 3])):
                    tx.execute(insert(approval_project_rule_users).values(rule_id=rule, user_id=user_id))
                if dice.random() < 0.4:
                    tx.execute(insert(approval_project_rule_groups).values(rule_id=rule, group_id=inner))
            if name in ("public", "private", "archived"):
                chosen = {setting: dice.random() < 0.5 for setting in NAMES}
                values = {"project_id": project["id"], **chosen, "updated_at": EPOCH}
                tx.execute(insert(project_approval_settings).values(values))
        for request in seeded.requests:
            seed_request(tx, dice, people, request)


def seed_request(tx: Any, dice: random.Random, people: list[int], request: Request) -> None:
    """Committers, and on some requests rules of their own, changed on them or not, and rules of code owners."""
    for user_id in dice.sample(people, dice.choice([0, 0, 1])):
        tx.execute(insert(merge_request_committers).values(merge_request_id=request.id, user_id=user_id))
    of_project = tx.execute(
        select(approval_project_rules.c.id).where(approval_project_rules.c.project_id == request.project_id)
    ).scalars()
    source = dice.choice([None, *of_project])
    kinds = dice.choice([(), (), ("code_owner",), ("regular",), ("regular", "any_approver"), ("regular", "code_owner")])
    for number, kind in enumerate(kinds):
        rule = add(
            tx, approval_merge_request_rules, merge_request_id=request.id, name=f"own {number}",
            source_rule_id=source, is_modified=dice.random() < 0.5, approvals_required=dice.choice([0, 1, 2]),
            rule_type=kind, **STAMP,
        )  # fmt: skip
        for user_id in dice.sample(people, 2):
            tx.execute(insert(approval_merge_request_rule_users).values(rule_id=rule, user_id=user_id))


def add(tx: Any, table: Any, **values: Any) -> int:
    return int(tx.execute(insert(table).values(values).returning(table.c.id)).scalar_one())


@pytest.mark.usefixtures("switched_on")
def test_the_filter_says_what_the_approvals_of_every_seeded_request_say(world: World) -> None:
    seeded = ListsWorld(world)
    seed_rules(seeded)
    expected: dict[str, set[int]] = {"yes": set(), "no": set()}
    said = Counter[tuple[bool, bool, str]]()
    for request in seeded.requests:
        answer = world.admin.ok("GET", f"/projects/{request.project_id}/merge_requests/{request.iid}/approvals")
        needed = answer["approvals_required"] > 0
        is_approved = answer["approved"] if needed else bool(answer["approved_by"])
        expected["yes" if is_approved else "no"].add(request.id)
        said[needed, is_approved, request.state] += 1
    # The world has every kind of answer; a merged request is never short of what is left of its rules.
    assert {key for key in said if key[2] != "merged"} == {
        (needed, is_approved, state)
        for needed in (True, False)
        for is_approved in (True, False)
        for state in ("opened", "closed")
    }

    places = [f"/projects/{project['id']}/merge_requests" for project in seeded.projects.values()]
    listed: dict[str, set[int]] = {"yes": set(), "no": set()}
    counts = set()
    for place in places:
        for word, entry in listed.items():
            reply = world.admin.get(place, approved=word, per_page=100)
            assert reply.headers["X-Total-Pages"] == "1"
            entry |= {one["id"] for one in reply.json()}
            counts.add(world.admin.queries(place, approved=word, per_page=1, view="simple"))

    assert listed == expected
    assert max(counts) <= 6  # whatever the rules; a page that holds everything needs no count of the rest
