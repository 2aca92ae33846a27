from typing import Any

import pytest

from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


def forked(world: World, source: dict[str, Any], person: Person, branch: str = "work") -> dict[str, Any]:
    """A fork with a branch that has something to offer."""
    created: dict[str, Any] = person.client.ok("POST", f"/projects/{source['id']}/fork", json={})
    world.run_jobs()
    world.commit(created, branch, {f"{world.name('file')}.txt": "hello\n"})
    return created


def offer(person: Person, fork: dict[str, Any], target: dict[str, Any], branch: str = "work") -> Any:
    body = {"title": "Offer", "source_branch": branch, "target_branch": "main", "target_project_id": target["id"]}
    return person.client.post(f"/projects/{fork['id']}/merge_requests", json=body)


def test_a_fork_of_a_fork_offers_its_work_to_the_first_project(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True, visibility="public")
    near, far = world.user(), world.user()
    second = forked(world, forked(world, project, near), far)
    stranger = world.project(far, initialize_with_readme=True)
    world.commit(stranger, "work", {"s.txt": "x\n"})

    created = offer(far, second, project)

    assert created.status_code == 201
    assert created.json()["detailed_merge_status"] == "mergeable"
    refused = offer(far, stranger, project)
    assert refused.status_code == 422
    assert refused.json() == {"message": ["Source project is not a fork of the target project"]}


def test_private_projects_take_offers_from_reporters_up(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    people = {role: world.user() for role in ("guest", "planner", "reporter")}
    for role, person in people.items():
        world.member(project, person, role)
    fork = forked(world, project, people["reporter"])
    for role in ("guest", "planner"):
        world.member(fork, people[role], "developer")

        refused = offer(people[role], fork, project)

        assert (refused.status_code, refused.json()) == (403, {"message": "403 Forbidden"})
    assert offer(people["reporter"], fork, project).status_code == 201


def test_only_who_pushes_to_the_fork_opens_its_branch_to_others(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True, visibility="public")
    author, developer = world.user(), world.user()
    world.member(project, developer, "developer")
    created = offer(author, forked(world, project, author), project).json()
    path = f"/projects/{project['id']}/merge_requests/{created['iid']}"

    for body in (True, False):
        remaining = developer.client.ok("PUT", path, json={"allow_collaboration": body})
        assert (remaining["allow_collaboration"], remaining["allow_maintainer_to_push"]) == (True, True)
    closed = author.client.ok("PUT", path, json={"allow_maintainer_to_push": False})

    assert (closed["allow_collaboration"], closed["allow_maintainer_to_push"]) == (False, False)
