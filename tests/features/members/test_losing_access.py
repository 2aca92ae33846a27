"""Members who leave a private project are taken off what they can no longer read; the rest stays as it is."""

from typing import Any

import pytest

from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


def people_of(owner: Person, path: str) -> tuple[list[int], list[int]]:
    read = owner.client.ok("GET", path)
    return [one["id"] for one in read["assignees"]], [one["id"] for one in read.get("reviewers", [])]


def assigned(world: World, owner: Person, project: dict[str, Any], person: Person) -> tuple[str, str]:
    """A request and an issue with this person on them, next to the owner."""
    people = {"assignee_ids": [person.id, owner.id]}
    request = world.merge_request(project, owner, reviewer_ids=[person.id], **people)
    path = f"/projects/{project['id']}"
    issue = owner.client.ok("POST", f"{path}/issues", json={"title": "x", **people})
    return f"{path}/merge_requests/{request['iid']}", f"{path}/issues/{issue['iid']}"


def leave(world: World, owner: Person, path: str, person: Person) -> None:
    assert owner.client.delete(f"{path}/members/{person.id}").status_code == 204
    world.run_jobs()


def test_who_leaves_a_private_project_is_taken_off_what_is_open(world: World, owner: Person) -> None:
    project, ben = world.project(owner, initialize_with_readme=True), world.user()
    world.member(project, ben, "developer")
    request, issue = assigned(world, owner, project, ben)
    merged = world.merge_request(project, owner, reviewer_ids=[ben.id], assignee_ids=[ben.id])
    done = f"/projects/{project['id']}/merge_requests/{merged['iid']}"
    owner.client.ok("PUT", f"{done}/merge")
    assert ben.client.ok("GET", "/todos") != []

    leave(world, owner, f"/projects/{project['id']}", ben)

    assert people_of(owner, request) == ([owner.id], [])
    assert people_of(owner, issue) == ([owner.id], [])
    assert people_of(owner, done) == ([ben.id], [ben.id])
    notes = [note["body"] for note in owner.client.ok("GET", f"{request}/notes")]
    assert f"unassigned @{ben.username}" in notes
    assert f"removed review request for @{ben.username}" in notes
    assert ben.client.ok("GET", "/todos") == []
    assert (
        owner.client.get(f"/projects/{project['id']}/merge_requests", assignee_id=ben.id, state="opened").json() == []
    )


def test_who_leaves_a_public_project_stays_assigned(world: World, owner: Person) -> None:
    project, ben = world.project(owner, initialize_with_readme=True, visibility="public"), world.user()
    world.member(project, ben, "developer")
    request, issue = assigned(world, owner, project, ben)

    leave(world, owner, f"/projects/{project['id']}", ben)

    assert people_of(owner, request) == ([ben.id, owner.id], [ben.id])
    assert set(people_of(owner, issue)[0]) == {ben.id, owner.id}


def test_who_still_reads_through_the_group_stays_assigned(world: World, owner: Person) -> None:
    group, ben = world.group(owner), world.user()
    project = world.project(owner, initialize_with_readme=True, namespace_id=group["id"])
    world.member(group, ben, "reporter", kind="groups")
    world.member(project, ben, "developer")
    request, _ = assigned(world, owner, project, ben)

    leave(world, owner, f"/projects/{project['id']}", ben)
    assert people_of(owner, request) == ([ben.id, owner.id], [ben.id])

    leave(world, owner, f"/groups/{group['id']}", ben)
    assert people_of(owner, request) == ([owner.id], [])


def test_a_guest_keeps_issues_but_not_merge_requests(world: World, owner: Person) -> None:
    project, ben = world.project(owner, initialize_with_readme=True), world.user()
    world.member(project, ben, "developer")
    request, issue = assigned(world, owner, project, ben)

    owner.client.ok("PUT", f"/projects/{project['id']}/members/{ben.id}", json={"access_level": 10})
    world.run_jobs()

    assert people_of(owner, request) == ([owner.id], [])
    assert set(people_of(owner, issue)[0]) == {ben.id, owner.id}
