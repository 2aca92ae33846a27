"""Commits through the API."""

import base64
from typing import Any

import pytest

from ingot.gitstore import Person as Author
from ingot.gitstore.commit import CommitOptions, FileAction, create_commit
from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


def commit(person: Person, project: dict[str, Any], **fields: Any) -> Any:
    fields.setdefault("branch", "main")
    fields.setdefault("commit_message", "Change")
    return person.client.post(f"/projects/{project['id']}/repository/commits", json=fields)


def test_several_actions_make_one_commit(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    commit(owner, project, actions=[{"action": "create", "file_path": "old.txt", "content": "x\n"}])

    created = commit(
        owner,
        project,
        commit_message="Rework\n\nSigned-off-by: Ada <ada@example.com>\nSigned-off-by: Bob <bob@example.com>",
        author_name="Grace",
        author_email="grace@example.com",
        actions=[
            {"action": "create", "file_path": "a/b.txt", "content": "one\ntwo\n"},
            {
                "action": "create",
                "file_path": "c.bin",
                "content": base64.b64encode(b"\x00\x01").decode(),
                "encoding": "base64",
            },
            {"action": "update", "file_path": "README.md", "content": "# New\n"},
            {"action": "move", "file_path": "new.txt", "previous_path": "old.txt"},
            {"action": "chmod", "file_path": "new.txt", "execute_filemode": True},
        ],
    )

    body = created.json()
    assert created.status_code == 201, body
    assert body["title"] == "Rework"
    assert (body["author_name"], body["author_email"]) == ("Grace", "grace@example.com")
    assert body["committer_email"] == f"{owner.username}@example.com"
    assert body["trailers"] == {"Signed-off-by": "Bob <bob@example.com>"}
    assert body["extended_trailers"] == {"Signed-off-by": ["Ada <ada@example.com>", "Bob <bob@example.com>"]}
    assert body["stats"] == {"additions": 3, "deletions": 1, "total": 4}
    assert body["web_url"].endswith(f"/-/commit/{body['id']}")
    assert body["status"] is None
    assert body["last_pipeline"] is None
    again = owner.client.ok("GET", f"/projects/{project['id']}/repository/commits/main")
    assert again == body


@pytest.mark.parametrize(
    ("actions", "text"),
    [
        ([{"action": "create", "file_path": "README.md", "content": "x"}], "A file with this name already exists"),
        ([{"action": "update", "file_path": "no.txt", "content": "x"}], "A file with this name doesn't exist"),
        ([{"action": "delete", "file_path": "no.txt"}], "A file with this name doesn't exist"),
        ([{"action": "create", "file_path": "folder", "content": ""}], "A directory with this name already exists"),
    ],
)
def test_refused_actions_say_why(world: World, owner: Person, actions: list[Any], text: str) -> None:
    project = world.project(owner, initialize_with_readme=True)
    commit(owner, project, actions=[{"action": "create", "file_path": "folder/x", "content": "x\n"}])

    refused = commit(owner, project, actions=actions)

    assert (refused.status_code, refused.json()) == (400, {"message": text})


def test_branches_start_elsewhere(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    action = [{"action": "create", "file_path": "x", "content": "x\n"}]

    nowhere = commit(owner, project, branch="b", actions=action)
    created = commit(owner, project, branch="b", start_branch="main", actions=action)
    again = commit(owner, project, branch="b", start_branch="main", actions=action)
    forced = commit(owner, project, branch="b", start_branch="main", force=True, actions=action)
    bad = commit(owner, project, branch="c", start_sha="1" * 40, actions=action)
    worse = commit(owner, project, branch="c", start_sha="zz", actions=action)
    both = commit(owner, project, branch="c", start_sha="zz", start_branch="main", actions=action)

    assert nowhere.json() == {"message": "You can only create or edit files when you are on a branch"}
    assert created.status_code == 201
    assert again.json() == {
        "message": "A branch called 'b' already exists. Switch to that branch in order to make changes"
    }
    assert forced.status_code == 201
    assert bad.json() == {"message": f"Cannot find start_sha '{'1' * 40}'"}
    assert worse.json() == {"message": "Invalid start_sha 'zz'"}
    assert both.json() == {"error": "start_branch, start_sha are mutually exclusive"}


def test_commits_start_from_a_project_of_the_same_family(world: World, owner: Person) -> None:
    parent = world.project(owner, initialize_with_readme=True, visibility="public")
    forker = world.user()
    fork = forker.client.ok("POST", f"/projects/{parent['id']}/fork")
    world.run_jobs()
    world.commit(parent, "feature", {"f": "f\n"}, start="main")
    stranger = world.project(forker, initialize_with_readme=True)
    action = [{"action": "create", "file_path": "x", "content": "x\n"}]

    def start(project: int, **more: Any) -> Any:
        return commit(forker, fork, start_project=project, actions=action, **more)

    existing = start(parent["id"], branch="main")
    same_name = start(parent["id"], branch="feature")
    named = start(parent["id"], branch="other", start_branch="feature")
    foreign = start(stranger["id"], branch="third", start_branch="main")

    assert (existing.status_code, existing.json()) == (
        400,
        {"message": "A branch called 'main' already exists. Switch to that branch in order to make changes"},
    )
    assert (same_name.status_code, named.status_code) == (201, 201)
    assert (foreign.status_code, foreign.json()) == (
        403,
        {
            "message": "403 Forbidden - Project is not included in the fork network for "
            + stranger["name_with_namespace"]
        },
    )
    assert start(world.project()["id"], branch="third").json() == {"message": "404 Project Not Found"}


def test_missing_parameters_are_named(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    path = f"/projects/{project['id']}/repository/commits"

    assert owner.client.post(path, json={}).json() == {
        "error": "branch is missing, branch is empty, commit_message is missing, commit_message is empty,"
        " actions is missing"
    }
    assert commit(owner, project, actions=[{"file_path": "a"}]).json() == {
        "error": "actions[0][action] is missing, actions[0][action] is empty,"
        " actions[0][action] does not have a valid value"
    }


def test_the_first_commit_makes_the_default_branch(world: World, owner: Person) -> None:
    project = world.project(owner)
    assert project["empty_repo"] is True

    created = commit(owner, project, branch="trunk", actions=[{"action": "create", "file_path": "a", "content": "a\n"}])

    assert created.status_code == 201
    now = owner.client.ok("GET", f"/projects/{project['id']}")
    assert (now["empty_repo"], now["default_branch"]) == (False, "trunk")
    branch = owner.client.ok("GET", f"/projects/{project['id']}/repository/branches/trunk")
    assert branch["default"]
    assert branch["protected"]
    assert branch["can_push"]


def test_protected_branches_are_closed_to_developers(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    developer, reporter, stranger = world.user(), world.user(), world.user()
    world.member(project, developer, "developer")
    world.member(project, reporter, "reporter")
    action = [{"action": "create", "file_path": "x", "content": "x\n"}]

    refused = commit(developer, project, actions=action)
    allowed = commit(developer, project, branch="topic", start_branch="main", actions=action)

    assert (refused.status_code, refused.json()) == (
        403,
        {"message": "403 Forbidden - You are not allowed to push into this branch"},
    )
    assert allowed.status_code == 201
    assert commit(reporter, project, branch="t2", start_branch="main", actions=action).status_code == 403
    assert commit(stranger, project, branch="t2", start_branch="main", actions=action).status_code == 404
    path = f"/projects/{project['id']}/repository/commits"
    assert world.anonymous.post(path, json={}).status_code == 401


def test_lists_filter_and_page(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    world.commit(project, "main", {"a.txt": "1\n"}, author_name="Ada", author_email="ada@x.org")
    world.commit(project, "main", {"b.txt": "1\n"}, author_name="Bob", author_email="bob@x.org")
    world.commit(project, "side", {"c.txt": "1\n"})
    path = f"/projects/{project['id']}/repository/commits"

    def titles(**params: Any) -> list[str]:
        answer = owner.client.get(path, **params)
        assert answer.status_code == 200, answer.text
        assert "x-total" not in answer.headers
        return [entry["title"] for entry in answer.json()]

    assert titles() == ["Change b.txt", "Change a.txt", "Initial commit"]
    assert titles(ref_name="side") == ["Change c.txt", "Change b.txt", "Change a.txt", "Initial commit"]
    assert titles(ref_name="main..side") == ["Change c.txt"]
    assert titles(all=True, order="topo")[0] == "Change c.txt"
    assert titles(path="a.txt") == ["Change a.txt"]
    assert titles(author="bob@x.org") == ["Change b.txt"]
    assert titles(since="2999-01-01") == []
    assert titles(until="2000-01-01T00:00:00Z") == []
    for early in ("0001-01-01T00:00:00Z", "1900-01-01", "1969-12-31"):
        assert len(titles(since=early)) == 3
        assert titles(until=early) == []
    for late in ("2038-02-01", "2106-03-01", "9999-12-31"):
        assert titles(since=late) == []
        assert len(titles(until=late)) == 3
    assert titles(ref_name="nowhere") == []
    assert titles(per_page=1, page=2) == ["Change a.txt"]
    counted = owner.client.ok("GET", path, params={"with_stats": "true", "per_page": 1})
    assert counted[0]["stats"] == {"additions": 1, "deletions": 0, "total": 1}
    first = owner.client.get(path, per_page=2)
    assert first.headers["x-next-page"] == "2"
    assert 'rel="next"' in first.headers["link"]
    assert owner.client.get(path, page=0).json() == {"error": "page does not have a valid value"}
    assert owner.client.get(path, per_page=-1).json() == {"error": "per_page does not have a valid value"}
    assert owner.client.get(path, since="foo").json() == {"error": "since is invalid"}
    assert owner.client.get(path, order="x").json() == {"error": "order does not have a valid value"}
    assert owner.client.get(f"{path}/nowhere").json() == {"message": "404 Commit Not Found"}


def test_a_crash_after_the_first_push_is_made_good_by_the_next_read(world: World, owner: Person) -> None:
    project = world.project(owner)
    author = Author.now("Ada", "ada@example.com")
    body = CommitOptions("trunk", "First", [FileAction("create", "a", "a\n")], author)
    create_commit(world.repository(project), body)  # nobody is told

    owner.client.ok("GET", f"/projects/{project['id']}/repository/branches")

    now = owner.client.ok("GET", f"/projects/{project['id']}")
    assert (now["empty_repo"], now["default_branch"]) == (False, "trunk")
    assert owner.client.ok("GET", f"/projects/{project['id']}/repository/branches/trunk")["protected"]
