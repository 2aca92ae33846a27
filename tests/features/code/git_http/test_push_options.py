"""Merge requests by the options of a push, with the real git client."""

from pathlib import Path
from typing import Any

import pytest

from tests.features.code.git_http.git_client import GitClient, address, clone
from tests.support.server import RunningServer
from tests.support.world import Person, World

pytestmark = pytest.mark.costly


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture
def project(world: World, owner: Person) -> dict[str, Any]:
    return world.project(owner, initialize_with_readme=True)


@pytest.fixture
def here(server: RunningServer, owner: Person, project: dict[str, Any], tmp_path: Path) -> GitClient:
    created = clone(tmp_path / "here", address(server, project, owner.token))
    created.ok("checkout", "-q", "-b", "topic")
    created.commit("a.txt", message="Add a file\n\nBecause it was missing.")
    return created


def push(here: GitClient, *options: str, branch: str = "topic") -> str:
    flags = [part for option in options for part in ("-o", option)]
    return here.ok("push", *flags, "origin", branch)


def request_of(person: Person, project: dict[str, Any], iid: int = 1) -> dict[str, Any]:
    result: dict[str, Any] = person.client.ok("GET", f"/projects/{project['id']}/merge_requests/{iid}")
    return result


def test_a_push_opens_a_merge_request(here: GitClient, owner: Person, project: dict[str, Any]) -> None:
    text = push(here, "merge_request.create")

    created = request_of(owner, project)
    assert (created["source_branch"], created["target_branch"], created["state"]) == ("topic", "main", "opened")
    assert (created["title"], created["description"]) == ("Add a file", "Because it was missing.")
    assert [person["id"] for person in created["assignees"]] == [owner.id]
    assert (created["sha"], created["merge_status"]) == (here.ok("rev-parse", "HEAD").strip(), "can_be_merged")
    assert "View merge request for topic:" in text
    assert f"{project['path_with_namespace']}/-/merge_requests/1" in text


def test_every_option_is_obeyed(here: GitClient, world: World, owner: Person, project: dict[str, Any]) -> None:
    friend = world.user()
    world.member(project, friend, "developer")
    owner.client.ok("POST", f"/projects/{project['id']}/milestones", json={"title": "Soon"})
    owner.client.ok("POST", f"/projects/{project['id']}/repository/branches?branch=stable&ref=main")

    push(
        here, "mr.create", "mr.target=stable", "mr.title=Something new", "mr.description=One\\nTwo", "mr.draft",
        "mr.label=one", "mr.label=two", "mr.milestone=Soon", f"mr.assign={friend.username}", "mr.squash",
        "mr.remove_source_branch", "mr.nonsense=1", "ci.skip",
    )  # fmt: skip

    created = request_of(owner, project)
    assert (created["title"], created["draft"], created["description"]) == ("Draft: Something new", True, "One\nTwo")
    assert (created["target_branch"], created["labels"], created["milestone"]["title"]) == (
        "stable",
        ["one", "two"],
        "Soon",
    )
    assert {person["id"] for person in created["assignees"]} == {owner.id, friend.id}
    assert (created["squash"], created["force_remove_source_branch"]) == (True, True)


def test_a_later_push_changes_the_request(
    here: GitClient, world: World, owner: Person, project: dict[str, Any]
) -> None:
    push(here, "merge_request.create", "merge_request.label=one", "merge_request.draft")
    here.commit("b.txt")

    push(
        here, "merge_request.title=Better", "merge_request.draft=false", "merge_request.unlabel=one",
        "merge_request.label=two", f"merge_request.unassign={owner.id}", "merge_request.create",
    )  # fmt: skip

    changed = request_of(owner, project)
    assert (changed["title"], changed["draft"], changed["labels"], changed["assignees"]) == (
        "Better",
        False,
        ["two"],
        [],
    )
    assert len(owner.client.ok("GET", f"/projects/{project['id']}/merge_requests")) == 1


def test_several_commits_are_named_by_the_branch(here: GitClient, owner: Person, project: dict[str, Any]) -> None:
    here.ok("checkout", "-q", "-b", "fix-the_thing", "main")
    here.commit("c.txt")
    here.commit("d.txt")

    push(here, "merge_request.create", branch="fix-the_thing")

    assert request_of(owner, project)["title"] == "Fix the thing"


def test_auto_merge_waits_for_the_pipeline_of_the_push(
    here: GitClient, world: World, owner: Person, project: dict[str, Any]
) -> None:
    here.commit(".gitlab-ci.yml", "job: {script: [x]}\n")

    push(here, "merge_request.create", "merge_request.auto_merge")

    created = request_of(owner, project)
    assert (created["state"], created["merge_when_pipeline_succeeds"]) == ("opened", True)
    assert created["merge_user"]["id"] == owner.id


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (
            ["merge_request.title=x"],
            "A merge_request.create push option is required to create a merge request for branch topic",
        ),
        (["merge_request.create", "merge_request.target=nowhere"], "Target branch {path}:nowhere does not exist"),
        (["merge_request.create", "merge_request.target_project=no/where"], "User access was denied"),
        (["merge_request.create", f"merge_request.title={'x' * 256}"], "Title is too long (maximum is 255 characters)"),
    ],
)
def test_what_is_wrong_with_the_options_is_said_and_the_push_stands(
    here: GitClient, owner: Person, project: dict[str, Any], options: list[str], text: str
) -> None:
    shown = push(here, *options)

    given = " ".join(f"'{option}'" for option in options)
    expected = f"Error encountered with push options {given}: {text.format(path=project['path_with_namespace'])}"
    assert expected in shown.replace("\nremote: ", "").replace("remote: ", "")
    assert owner.client.ok("GET", f"/projects/{project['id']}/merge_requests") == []
    assert owner.client.get(f"/projects/{project['id']}/repository/branches/topic").status_code == 200


def test_forks_open_requests_above_them(server: RunningServer, world: World, owner: Person, tmp_path: Path) -> None:
    above = world.project(owner, initialize_with_readme=True, visibility="public")
    friend = world.user()
    fork = friend.client.ok("POST", f"/projects/{above['id']}/fork")
    world.run_jobs()
    there = clone(tmp_path / "there", address(server, fork, friend.token))
    there.ok("checkout", "-q", "-b", "gift")
    there.commit("gift.txt", message="A gift")

    push(there, "merge_request.create", "merge_request.label=ignored", branch="gift")

    created = request_of(owner, above)
    assert (created["title"], created["author"]["id"], created["labels"]) == ("A gift", friend.id, [])
    assert (created["source_project_id"], created["target_project_id"]) == (fork["id"], above["id"])
    there.ok("checkout", "-q", "-b", "inside", "main")
    there.commit("inside.txt", message="For myself")
    push(there, "merge_request.create", f"merge_request.target_project={fork['path_with_namespace']}", branch="inside")
    assert request_of(friend, fork)["title"] == "For myself"
    stranger = world.project(friend, initialize_with_readme=True)
    path = stranger["path_with_namespace"]
    there.commit("more.txt")
    shown = push(there, "merge_request.create", f"merge_request.target_project={path}", branch="inside")
    assert "are not in the same network" in shown


def test_projects_without_merge_requests_say_so(here: GitClient, owner: Person, project: dict[str, Any]) -> None:
    owner.client.ok("PUT", f"/projects/{project['id']}", json={"merge_requests_access_level": "disabled"})

    shown = push(here, "merge_request.create")

    assert "Merge requests are not enabled for project" in shown
