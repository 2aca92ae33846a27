"""Issues that texts of other issues name are told by a system note."""

from typing import Any

import pytest

from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture
def project(world: World, owner: Person) -> dict[str, Any]:
    return world.project(owner, visibility="public")


def opened(person: Person, project: dict[str, Any], **more: Any) -> dict[str, Any]:
    values = {"title": "It breaks", **more}
    issue: dict[str, Any] = person.client.ok("POST", f"/projects/{project['id']}/issues", json=values)
    return issue


def path_of(issue: dict[str, Any]) -> str:
    return f"/projects/{issue['project_id']}/issues/{issue['iid']}"


def told(person: Person, issue: dict[str, Any]) -> list[str]:
    notes = person.client.ok("GET", f"{path_of(issue)}/notes", params={"sort": "asc"})
    return [note["body"] for note in notes if note["system"] and note["body"].startswith("mentioned in")]


def test_a_description_tells_the_issue_that_it_names(owner: Person, project: dict[str, Any]) -> None:
    target = opened(owner, project)

    source = opened(owner, project, description=f"As in #{target['iid']}, see also #{target['iid']} and #999")

    assert told(owner, target) == [f"mentioned in issue #{source['iid']}"]
    assert told(owner, source) == []


def test_a_changed_description_tells_what_is_new(owner: Person, project: dict[str, Any]) -> None:
    first, second = opened(owner, project), opened(owner, project)
    source = opened(owner, project, description=f"#{first['iid']}")

    text = f"#{first['iid']} and {project['path_with_namespace']}#{second['iid']}, itself #{source['iid']}"
    owner.client.ok("PUT", path_of(source), json={"description": text})

    expected = [f"mentioned in issue #{source['iid']}"]
    assert (told(owner, first), told(owner, second), told(owner, source)) == (expected, expected, [])


def test_comments_tell_too(owner: Person, project: dict[str, Any]) -> None:
    first, second, third = (opened(owner, project) for _ in range(3))
    source = opened(owner, project)
    note = owner.client.ok("POST", f"{path_of(source)}/notes", json={"body": f"like #{first['iid']}"})
    owner.client.ok("POST", f"{path_of(source)}/discussions", json={"body": f"like #{second['iid']}"})

    owner.client.ok("PUT", f"{path_of(source)}/notes/{note['id']}", json={"body": f"rather #{third['iid']}"})

    expected = [f"mentioned in issue #{source['iid']}"]
    assert [told(owner, issue) for issue in (first, second, third)] == [expected] * 3


def test_what_is_confidential_is_not_told_outside(world: World, owner: Person, project: dict[str, Any]) -> None:
    target, hidden = opened(owner, project), opened(owner, project, confidential=True)

    source = opened(owner, project, description=f"#{target['iid']} #{hidden['iid']}", confidential=True)
    internal = {"body": f"#{target['iid']}", "internal": True}
    owner.client.ok("POST", f"{path_of(opened(owner, project))}/notes", json=internal)

    assert told(owner, target) == []
    assert told(owner, hidden) == [f"mentioned in issue #{source['iid']}"]


def test_nobody_reaches_an_issue_that_they_cannot_read(world: World, owner: Person, project: dict[str, Any]) -> None:
    hidden, stranger = opened(owner, project, confidential=True), world.user()

    opened(stranger, project, description=f"#{hidden['iid']}")

    assert told(owner, hidden) == []
