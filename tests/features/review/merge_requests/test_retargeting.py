"""Requests into a branch that was merged and removed follow it, unless they would become somebody's twin."""

from typing import Any

import pytest

from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture
def chain(world: World, owner: Person) -> tuple[dict[str, Any], str, dict[str, Any]]:
    """A project, its requests' path, and a request `middle` -> `main`."""
    project = world.project(owner, initialize_with_readme=True)
    middle = world.merge_request(project, owner, source_branch="middle")
    return project, f"/projects/{project['id']}/merge_requests", middle


def into_middle(world: World, owner: Person, project: dict[str, Any], branch: str, **more: Any) -> dict[str, Any]:
    world.commit(project, branch, {f"{branch}.txt": "x\n"}, start="middle")
    body = {"title": branch, "source_branch": branch, "target_branch": "middle", **more}
    created: dict[str, Any] = owner.client.ok("POST", f"/projects/{project['id']}/merge_requests", json=body)
    return created


def merge_and_remove(owner: Person, path: str, request: dict[str, Any]) -> None:
    owner.client.ok("PUT", f"{path}/{request['iid']}/merge", json={"should_remove_source_branch": True})


def test_a_request_follows_the_branch_that_was_merged(
    world: World, owner: Person, chain: tuple[dict[str, Any], str, dict[str, Any]]
) -> None:
    project, path, middle = chain
    top = into_middle(world, owner, project, "top")

    merge_and_remove(owner, path, middle)

    read = owner.client.ok("GET", f"{path}/{top['iid']}")
    assert (read["state"], read["target_branch"], read["detailed_merge_status"]) == ("opened", "main", "mergeable")
    assert [commit["title"] for commit in owner.client.ok("GET", f"{path}/{top['iid']}/commits")] == ["Change top.txt"]
    notes = [note["body"] for note in owner.client.ok("GET", f"{path}/{top['iid']}/notes")]
    assert "changed target branch from `middle` to `main`" in notes


def test_a_request_with_a_twin_stays_where_it_is(
    world: World, owner: Person, chain: tuple[dict[str, Any], str, dict[str, Any]]
) -> None:
    project, path, middle = chain
    top = into_middle(world, owner, project, "top")
    twin = owner.client.ok("POST", path, json={"title": "twin", "source_branch": "top", "target_branch": "main"})

    merge_and_remove(owner, path, middle)

    left = owner.client.ok("GET", f"{path}/{top['iid']}")
    assert (left["state"], left["target_branch"], left["detailed_merge_status"]) == (
        "opened", "middle", "commits_status",
    )  # fmt: skip
    assert owner.client.ok("GET", f"{path}/{twin['iid']}")["target_branch"] == "main"
    same = owner.client.get(path, source_branch="top", target_branch="main", state="opened").json()
    assert [one["iid"] for one in same] == [twin["iid"]]


def test_a_request_from_the_new_target_stays_where_it_is(
    world: World, owner: Person, chain: tuple[dict[str, Any], str, dict[str, Any]]
) -> None:
    project, path, middle = chain
    world.commit(project, "main", {"news.txt": "x\n"})
    back = owner.client.ok("POST", path, json={"title": "sync", "source_branch": "main", "target_branch": "middle"})

    merge_and_remove(owner, path, middle)

    left = owner.client.ok("GET", f"{path}/{back['iid']}")
    assert (left["target_branch"], left["detailed_merge_status"]) == ("middle", "commits_status")


def test_at_most_four_follow(world: World, owner: Person, chain: tuple[dict[str, Any], str, dict[str, Any]]) -> None:
    project, path, middle = chain
    created = [into_middle(world, owner, project, f"top-{number}") for number in range(5)]

    merge_and_remove(owner, path, middle)

    targets = [owner.client.ok("GET", f"{path}/{one['iid']}")["target_branch"] for one in created]
    assert targets == ["main"] * 4 + ["middle"]
