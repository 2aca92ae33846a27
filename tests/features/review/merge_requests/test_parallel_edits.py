"""Changes at the same moment: what may exist once exists once, and no answer is an accident."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.support.world import Person, World

AT_ONCE = 6


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


def all_at_once(world: World, owner: Person, calls: list[tuple[str, str, dict[str, Any]]]) -> list[Any]:
    clients = [world.server.client(owner.token) for _ in calls]
    with ThreadPoolExecutor(len(calls)) as pool:
        return list(
            pool.map(
                lambda pair: pair[0].request(pair[1][0], pair[1][1], json=pair[1][2]),
                zip(clients, calls, strict=True),
            )
        )


def statuses(replies: list[Any]) -> Counter[int]:
    return Counter(reply.status_code for reply in replies)


def test_one_branch_is_offered_once(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    world.commit(project, "f", {"f.txt": "x\n"})
    path = f"/projects/{project['id']}/merge_requests"
    body = {"title": "t", "source_branch": "f", "target_branch": "main"}

    replies = all_at_once(world, owner, [("POST", path, body)] * AT_ONCE)

    assert statuses(replies) == {201: 1, 409: AT_ONCE - 1}
    assert [entry["iid"] for entry in owner.client.ok("GET", path)] == [1]


def test_one_of_several_closed_requests_is_reopened(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    world.commit(project, "f", {"f.txt": "x\n"})
    path = f"/projects/{project['id']}/merge_requests"
    body = {"title": "t", "source_branch": "f", "target_branch": "main"}
    for _ in range(AT_ONCE):
        created = owner.client.ok("POST", path, json=body)
        owner.client.ok("PUT", f"{path}/{created['iid']}", json={"state_event": "close"})

    calls = [("PUT", f"{path}/{iid}", {"state_event": "reopen"}) for iid in range(1, AT_ONCE + 1)]
    replies = all_at_once(world, owner, calls)

    assert statuses(replies) == {200: AT_ONCE}
    assert len(owner.client.get(path, state="opened").json()) == 1


def test_several_requests_move_to_one_target(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    world.commit(project, "f", {"f.txt": "x\n"})
    path = f"/projects/{project['id']}/merge_requests"
    for number in range(AT_ONCE):
        world.commit(project, f"target-{number}", {"t.txt": f"{number}\n"})
        body = {"title": "t", "source_branch": "f", "target_branch": f"target-{number}"}
        owner.client.ok("POST", path, json=body)

    calls = [("PUT", f"{path}/{iid}", {"target_branch": "main"}) for iid in range(1, AT_ONCE + 1)]
    replies = all_at_once(world, owner, calls)

    assert statuses(replies) == {200: 1, 409: AT_ONCE - 1}
    assert len(owner.client.get(path, target_branch="main").json()) == 1


def test_labels_people_and_notes_at_once(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    friends = [world.user() for _ in range(3)]
    for friend in friends:
        world.member(project, friend, "developer")
    created = world.merge_request(project, owner)
    path = f"/projects/{project['id']}/merge_requests/{created['iid']}"

    replies = all_at_once(
        world,
        owner,
        [
            *[("PUT", path, {"add_labels": "new-label"})] * 2,
            *[("PUT", path, {"assignee_ids": [friend.id for friend in friends]})] * 2,
            *[("PUT", path, {"reviewer_ids": [friends[0].id]})] * 2,
            *[("POST", f"{path}/notes", {"body": "hello"})] * 3,
            *[("POST", f"{path}/award_emoji", {"name": "thumbsup"})] * 2,
            *[("POST", f"{path}/add_spent_time", {"duration": "1h"})] * 3,
            *[("POST", f"{path}/todo", {})] * 2,
        ],
    )

    assert all(reply.status_code < 500 for reply in replies), [reply.text for reply in replies]
    one = owner.client.ok("GET", path)
    assert one["labels"] == ["new-label"]
    assert [person["id"] for person in one["assignees"]] == [friend.id for friend in friends]
    assert one["user_notes_count"] == 3
    assert one["upvotes"] == 1
    assert one["time_stats"]["total_time_spent"] == 3 * 3600
    named = owner.client.ok("GET", f"/projects/{project['id']}/labels")
    assert [label["name"] for label in named] == ["new-label"]


def test_approvals_and_dependencies_at_once(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    friend = world.user()
    world.member(project, friend, "developer")
    created, other = world.merge_request(project, owner), world.merge_request(project, owner)
    path = f"/projects/{project['id']}/merge_requests/{created['iid']}"
    block = {"blocking_merge_request_id": other["id"]}

    approvals = all_at_once(world, friend, [("POST", f"{path}/approve", {})] * 3)
    blocks = all_at_once(world, owner, [("POST", f"{path}/blocks", block)] * 3)
    deletions = all_at_once(world, owner, [("DELETE", path, {})] * 3)

    assert statuses(approvals) == {201: 1, 401: 2}
    assert statuses(blocks) == {201: 1, 409: 2}
    assert statuses(deletions) == {204: 1, 404: 2}
