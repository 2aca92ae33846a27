"""Mentions across projects: the note is for those alone who may read what it tells of."""

from typing import Any

import pytest

from tests.features.transfer.project_imports.making import exported, relation
from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def stranger(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def public(world: World, owner: Person) -> dict[str, Any]:
    return world.project(owner, visibility="public", initialize_with_readme=True)


@pytest.fixture(scope="module")
def private(world: World, owner: Person) -> dict[str, Any]:
    group = world.group(owner)
    return world.project(owner, namespace_id=group["id"], initialize_with_readme=True)


def opened(person: Person, project: dict[str, Any], **more: Any) -> dict[str, Any]:
    issue: dict[str, Any] = person.client.ok("POST", f"/projects/{project['id']}/issues", json={"title": "x", **more})
    return issue


def path_of(issue: dict[str, Any]) -> str:
    return f"/projects/{issue['project_id']}/issues/{issue['iid']}"


def told(person: Person, issue: dict[str, Any]) -> list[str]:
    notes = person.client.ok("GET", f"{path_of(issue)}/notes", params={"sort": "asc"})
    return [note["body"] for note in notes if note["system"]]


def reference(issue: dict[str, Any]) -> str:
    return str(issue["references"]["full"])


def commit(person: Person, project: dict[str, Any], message: str, branch: str = "main") -> str:
    action = {"action": "create", "file_path": f"{abs(hash(message))}", "content": "x"}
    body = {"branch": branch, "commit_message": message, "actions": [action]}
    sha: str = person.client.ok("POST", f"/projects/{project['id']}/repository/commits", json=body)["id"]
    return sha


def test_a_private_source_is_told_to_its_readers_only(
    owner: Person, stranger: Person, public: dict[str, Any], private: dict[str, Any]
) -> None:
    target = opened(owner, public)

    source = opened(owner, private, description=f"As in {reference(target)}")

    assert told(owner, target) == [f"mentioned in issue {reference(source)}"]
    note = owner.client.ok("GET", f"{path_of(target)}/notes")[0]
    assert told(stranger, target) == []
    assert stranger.client.ok("GET", f"{path_of(target)}/discussions") == []
    assert stranger.client.get(f"{path_of(target)}/notes/{note['id']}").status_code == 404
    assert stranger.client.get(f"{path_of(target)}/notes").headers["x-total"] == "0"


def test_a_confidential_source_is_told_to_its_readers_only(
    world: World, owner: Person, stranger: Person, public: dict[str, Any]
) -> None:
    other, target = world.project(owner, visibility="public"), opened(owner, public)
    url = f"https://ingot.example/{public['path_with_namespace']}/-/issues/{target['iid']}"

    source = opened(owner, other, description=url, confidential=True)

    assert told(owner, target) == [f"mentioned in issue {other['path']}#{source['iid']}"]  # beside each other
    assert told(stranger, target) == []
    owner.client.ok("PUT", path_of(source), json={"confidential": False})
    assert told(stranger, target) == [f"mentioned in issue {other['path']}#{source['iid']}"]


def test_each_source_tells_once(owner: Person, public: dict[str, Any], private: dict[str, Any]) -> None:
    target = opened(owner, public)
    source = opened(owner, private, description=reference(target))

    owner.client.ok("POST", f"{path_of(source)}/notes", json={"body": f"again {reference(target)}"})
    owner.client.ok("PUT", path_of(source), json={"description": f"{reference(target)}, really"})

    assert told(owner, target) == [f"mentioned in issue {reference(source)}"]


def test_requests_and_commits_tell_elsewhere(
    world: World, owner: Person, stranger: Person, public: dict[str, Any], private: dict[str, Any]
) -> None:
    target = opened(owner, public)

    request = world.merge_request(private, owner, description=f"See {reference(target)}")
    sha = commit(owner, private, f"Oil the hinge of {reference(target)}")

    full = private["path_with_namespace"]
    assert told(owner, target) == [
        f"mentioned in merge request {full}!{request['iid']}",
        f"mentioned in commit {full}@{sha}",
    ]
    assert told(stranger, target) == []


def test_nobody_reaches_what_they_cannot_read(
    owner: Person, stranger: Person, world: World, private: dict[str, Any]
) -> None:
    target, own = opened(owner, private), world.project(stranger, visibility="public")

    opened(stranger, own, description=reference(target))

    assert told(owner, target) == []


def test_archives_do_not_tell_of_other_projects(
    world: World, owner: Person, public: dict[str, Any], private: dict[str, Any]
) -> None:
    project = world.project(owner, visibility="public")
    target = opened(owner, project)
    opened(owner, private, description=reference(target))
    opened(owner, project, description=f"#{target['iid']}")

    issues = relation(exported(world, owner, project["id"]), "issues")

    told_of = [note["note"] for issue in issues if issue["iid"] == target["iid"] for note in issue["notes"]]
    assert told_of == ["mentioned in issue #2"]


def test_closing_words_of_commits_on_the_default_branch_close(
    owner: Person, stranger: Person, public: dict[str, Any], private: dict[str, Any]
) -> None:
    here, there, beyond = opened(owner, public), opened(owner, public), opened(owner, private)

    sha = commit(owner, public, f"Oil\n\nCloses #{here['iid']}")
    far = commit(owner, private, f"Fixes {reference(there)} and #{beyond['iid']}")

    closed = owner.client.ok("GET", path_of(here))
    assert (closed["state"], closed["closed_by"]["id"]) == ("closed", owner.id)
    assert f"closed via commit {sha}" in told(owner, here)
    assert f"closed via commit {private['path_with_namespace']}@{far}" in told(owner, there)
    assert [owner.client.ok("GET", path_of(one))["state"] for one in (there, beyond)] == ["closed", "closed"]
    assert told(stranger, there) == []  # that it is closed is seen, by what is not


def test_commits_close_nothing_elsewhere_or_without_the_right(
    world: World, owner: Person, stranger: Person, public: dict[str, Any]
) -> None:
    target, own = opened(owner, public), world.project(stranger, visibility="public", initialize_with_readme=True)
    manual = world.project(owner, initialize_with_readme=True, autoclose_referenced_issues=False)
    open_there = opened(owner, manual)
    owner.client.ok("POST", f"/projects/{public['id']}/repository/branches", params={"branch": "side", "ref": "main"})

    commit(owner, public, f"Closes #{target['iid']} on a side branch", branch="side")
    commit(stranger, own, f"Closes {reference(target)}")
    commit(owner, manual, f"Closes #{open_there['iid']}")

    assert [owner.client.ok("GET", path_of(one))["state"] for one in (target, open_there)] == ["opened", "opened"]
    owner.client.ok(
        "POST",
        f"/projects/{public['id']}/merge_requests",
        json={"source_branch": "side", "target_branch": "main", "title": "Side"},
    )
    merged = owner.client.ok("PUT", f"/projects/{public['id']}/merge_requests/1/merge")
    assert merged["state"] == "merged"
    assert owner.client.ok("GET", path_of(target))["state"] == "closed"
    assert "closed via merge request !1" in told(owner, target)
