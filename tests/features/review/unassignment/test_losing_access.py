"""Members who leave a private project are taken off what they can no longer read; the rest stays as it is."""

from typing import Any

import pytest
from sqlalchemy import select

from ingot.access.levels import OWNER
from ingot.features.people.members import Source
from ingot.features.people.members.commands import edit_member
from ingot.kit.actor import Actor
from ingot.kit.jobs.tables import jobs
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


def test_it_is_asked_for_in_the_transaction_that_ends_the_membership(world: World, owner: Person) -> None:
    project, group, ben = world.project(owner), world.group(owner), world.user()
    world.member(project, ben, "developer")
    world.member(group, ben, "developer", kind="groups")
    world.run_jobs()
    services, actor = world.server.services, Actor(is_admin=True)
    waiting = select(jobs.c.key).where(jobs.c.kind == "members.release", jobs.c.state == "queued")
    namespace_id = project["namespace"]["id"]
    for source in (Source("project", project["id"], namespace_id), Source("group", group["id"], group["id"])):
        with services.db.write() as tx:
            edit_member(tx, actor, source, OWNER, ben.id, {"access_level": 10})
            rows = tx.execute(waiting).scalars().all()
        assert rows == [f"members.release-{ben.id}"]
        world.run_jobs()


@pytest.mark.parametrize("kind", ["projects", "groups"])
def test_the_end_of_a_share_takes_the_members_of_the_invited_group_off(world: World, owner: Person, kind: str) -> None:
    home, invited, ben, eve = world.group(owner), world.group(owner), world.user(), world.user()
    project = world.project(owner, initialize_with_readme=True, namespace_id=home["id"])
    world.member(invited, ben, "developer", kind="groups")
    world.member(project, eve, "developer")
    path = f"/projects/{project['id']}" if kind == "projects" else f"/groups/{home['id']}"
    owner.client.ok("POST", f"{path}/share", json={"group_id": invited["id"], "group_access": 30})
    request, issue = assigned(world, owner, project, ben)
    remaining, _ = assigned(world, owner, project, eve)
    assert ben.client.ok("GET", "/todos") != []

    assert owner.client.delete(f"{path}/share/{invited['id']}").status_code == 204
    world.run_jobs()

    assert people_of(owner, request) == ([owner.id], [])
    assert people_of(owner, issue) == ([owner.id], [])
    assert people_of(owner, remaining) == ([eve.id, owner.id], [eve.id])
    assert ben.client.ok("GET", "/todos") == []


def test_a_project_that_becomes_private_loses_who_is_no_member(world: World, owner: Person) -> None:
    project, ben = world.project(owner, initialize_with_readme=True, visibility="public"), world.user()
    world.member(project, ben, "developer")
    request, issue = assigned(world, owner, project, ben)
    leave(world, owner, f"/projects/{project['id']}", ben)
    assert people_of(owner, request) == ([ben.id, owner.id], [ben.id])

    owner.client.ok("PUT", f"/projects/{project['id']}", json={"visibility": "private"})
    world.run_jobs()

    assert people_of(owner, request) == ([owner.id], [])
    assert people_of(owner, issue) == ([owner.id], [])


def test_a_project_that_moves_away_from_its_group_loses_the_members_of_the_group(world: World, owner: Person) -> None:
    home, other, ben = world.group(owner), world.group(owner), world.user()
    project = world.project(owner, initialize_with_readme=True, namespace_id=home["id"])
    world.member(home, ben, "developer", kind="groups")
    request, issue = assigned(world, owner, project, ben)

    owner.client.ok("PUT", f"/projects/{project['id']}/transfer", json={"namespace": other["id"]})
    world.run_jobs()

    assert people_of(owner, request) == ([owner.id], [])
    assert people_of(owner, issue) == ([owner.id], [])
