"""Merge requests and issues that texts and commits name are told by a system note."""

from typing import Any

import pytest

from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def project(world: World, owner: Person) -> dict[str, Any]:
    return world.project(owner, visibility="public", initialize_with_readme=True)


def told(person: Person, target: dict[str, Any], kind: str = "merge_requests") -> list[str]:
    """What the readers of an issue or merge request are told of mentions."""
    path = f"/projects/{target['project_id']}/{kind}/{target['iid']}/notes"
    notes = person.client.ok("GET", path, params={"sort": "asc"})
    return [note["body"] for note in notes if note["system"] and note["body"].startswith("mentioned in")]


def issue(person: Person, project: dict[str, Any], **more: Any) -> dict[str, Any]:
    values = {"title": "It breaks", **more}
    created: dict[str, Any] = person.client.ok("POST", f"/projects/{project['id']}/issues", json=values)
    return created


def test_issues_tell_the_requests_that_they_name(world: World, owner: Person, project: dict[str, Any]) -> None:
    first, second, third = (world.merge_request(project, owner) for _ in range(3))
    web_url = f"https://example.com/{project['path_with_namespace']}/-/merge_requests/{third['iid']}"

    source = issue(owner, project, title=f"After !{first['iid']}", description=f"!{first['iid']}, {web_url}, !999")
    path = f"/projects/{project['id']}/issues/{source['iid']}/notes"
    owner.client.ok("POST", path, json={"body": f"like {project['path']}!{second['iid']}"})

    expected = [f"mentioned in issue #{source['iid']}"]
    assert [told(owner, target) for target in (first, second, third)] == [expected] * 3


def test_requests_tell_the_requests_that_they_name(world: World, owner: Person, project: dict[str, Any]) -> None:
    first, second, third = (world.merge_request(project, owner) for _ in range(3))

    source = world.merge_request(project, owner, description=f"Follows !{first['iid']} and not word!{second['iid']}")
    path = f"/projects/{project['id']}/merge_requests/{source['iid']}"
    owner.client.ok("POST", f"{path}/notes", json={"body": f"!{second['iid']} and !{source['iid']}"})
    owner.client.ok("PUT", path, json={"description": f"Follows !{first['iid']} and !{third['iid']}"})

    expected = [f"mentioned in merge request !{source['iid']}"]
    assert [told(owner, target) for target in (first, second, third)] == [expected] * 3
    assert told(owner, source) == []


def test_commits_tell_what_their_messages_name(world: World, owner: Person, project: dict[str, Any]) -> None:
    target, request = issue(owner, project), world.merge_request(project, owner)
    message = f"Repair the hinge\n\nSee #{target['iid']} and !{request['iid']}"

    path = f"/projects/{project['id']}/repository/commits"
    action = {"action": "create", "file_path": "hinge", "content": "oil"}
    values = {"branch": "hinge", "start_branch": "main", "commit_message": message, "actions": [action]}
    sha = owner.client.ok("POST", path, json=values)["id"]
    world.commit(project, "hinge", {"other": "text"}, user_id=owner.id)

    assert told(owner, target, "issues") == [f"mentioned in commit {sha}"]
    assert told(owner, request) == [f"mentioned in commit {sha}"]


def test_what_is_hidden_is_not_told_outside(world: World, owner: Person, project: dict[str, Any]) -> None:
    target = world.merge_request(project, owner)

    issue(owner, project, description=f"!{target['iid']}", confidential=True)
    other = world.merge_request(project, owner)
    path = f"/projects/{project['id']}/merge_requests/{other['iid']}/notes"
    owner.client.ok("POST", path, json={"body": f"!{target['iid']}", "internal": True})

    assert told(owner, target) == []


def test_another_project_is_told_to_those_who_read_it(world: World, owner: Person, project: dict[str, Any]) -> None:
    target, private, stranger = world.merge_request(project, owner), world.project(owner), world.user()

    source = issue(owner, private, description=f"{project['path_with_namespace']}!{target['iid']}")

    assert told(owner, target) == [f"mentioned in issue {private['path']}#{source['iid']}"]
    assert told(stranger, target) == []


def test_nobody_reaches_a_request_that_they_cannot_read(world: World, owner: Person) -> None:
    project = world.project(
        owner, visibility="public", initialize_with_readme=True, merge_requests_access_level="private"
    )
    target = world.merge_request(project, owner)

    issue(world.user(), project, description=f"!{target['iid']}")

    assert told(owner, target) == []
