"""Locks with the real git-lfs, and their effect on pushes and commits."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.features.code.git_http.git_client import GitClient, address, clone
from tests.support.large_files import needs_git_lfs
from tests.support.server import ROOT_TOKEN, RunningServer
from tests.support.world import Person, World


@pytest.fixture(scope="module")
def project(world: World) -> dict[str, Any]:
    options = {"name": world.name("locks"), "initialize_with_readme": True}
    created: dict[str, Any] = world.admin.ok("POST", "/projects", json=options)
    return created


@pytest.fixture(scope="module")
def maintainer(world: World, project: dict[str, Any]) -> Person:
    person = world.user(name="Mona Maintainer")
    world.member(project, person, "maintainer")
    return person


@pytest.fixture(scope="module")
def developer(world: World, project: dict[str, Any]) -> Person:
    person = world.user(name="Dora Developer")
    world.member(project, person, "developer")
    return person


def locks(
    server: RunningServer, project: dict[str, Any], token: str | None, method: str, rest: str = "", **more: Any
) -> httpx.Response:
    """A request to the addresses of locks."""
    url = f"{server.url}/{project['path_with_namespace']}.git/info/lfs/locks{rest}"
    return httpx.request(method, url, auth=None if token is None else ("x", token), timeout=120, **more)


def with_lfs(server: RunningServer, project: dict[str, Any], folder: Path, token: str) -> GitClient:
    here = clone(folder, address(server, project, token))
    here.ok("lfs", "install", "--local")
    here.ok("config", f"lfs.{address(server, project, token)}/info/lfs.locksverify", "true")
    return here


@needs_git_lfs
def test_git_lfs_locks_lists_and_unlocks(
    server: RunningServer, project: dict[str, Any], maintainer: Person, developer: Person, tmp_path: Path
) -> None:
    ours = with_lfs(server, project, tmp_path / "ours", maintainer.token)
    theirs = with_lfs(server, project, tmp_path / "theirs", developer.token)

    assert "Locked art/a.psd" in ours.ok("lfs", "lock", "art/a.psd")
    listed = [line.split("\t")[:2] for line in theirs.ok("lfs", "locks").replace(" ", "").splitlines()]
    assert ["art/a.psd", "MonaMaintainer"] in listed
    assert "already locked" in theirs.refused("lfs", "lock", "art/a.psd").lower()
    assert "is locked by GitLab User" in theirs.refused("lfs", "unlock", "art/a.psd")
    assert "maintainer access" in theirs.refused("lfs", "unlock", "--force", "art/a.psd")
    theirs.ok("lfs", "lock", "art/b.psd")
    ours.ok("lfs", "unlock", "--force", "art/b.psd")
    assert "Unlocked art/a.psd" in ours.ok("lfs", "unlock", "art/a.psd")
    assert "art/" not in ours.ok("lfs", "locks")


@pytest.mark.parametrize("files", [1, 120])  # each object in a file, and all in a pack
def test_a_push_that_changes_a_locked_path_is_refused(
    server: RunningServer, project: dict[str, Any], maintainer: Person, developer: Person, tmp_path: Path, files: int
) -> None:
    path = f"düne {files}.psd"
    lock = locks(server, project, maintainer.token, "POST", json={"path": path}).json()["lock"]
    theirs = clone(tmp_path / "theirs", address(server, project, developer.token))
    theirs.ok("checkout", "-q", "-b", f"work-{files}")
    for number in range(files):
        (theirs.folder / f"other-{files}-{number}.txt").write_text(f"{number}\n")
    theirs.ok("add", ".")
    theirs.ok("commit", "-q", "-m", "Others")
    theirs.commit(path, "locked\n")
    theirs.ok("rm", "-q", path)
    theirs.ok("commit", "-q", "-m", "Gone again")

    refused = theirs.refused("push", "origin", f"work-{files}")

    assert f"GitLab: The path '{path}' is locked in Git LFS by Mona Maintainer" in refused
    assert locks(server, project, maintainer.token, "POST", f"/{lock['id']}/unlock", json={}).status_code == 200
    theirs.ok("push", "-q", "origin", f"work-{files}")


def test_merging_what_the_owner_of_a_lock_pushed_is_allowed(
    server: RunningServer, project: dict[str, Any], maintainer: Person, developer: Person, tmp_path: Path
) -> None:
    ours = clone(tmp_path / "ours", address(server, project, maintainer.token))
    theirs = clone(tmp_path / "theirs", address(server, project, developer.token))
    locks(server, project, maintainer.token, "POST", json={"path": "mine.txt"})
    ours.commit("mine.txt", "by the owner\n")
    ours.ok("push", "-q", "origin", "HEAD:main")
    theirs.ok("checkout", "-q", "-b", "feature")
    theirs.commit("theirs.txt")
    theirs.ok("fetch", "-q", "origin")

    theirs.ok("merge", "-q", "--no-edit", "origin/main")
    theirs.ok("push", "-q", "origin", "feature")
    theirs.ok("merge", "-q", "--no-ff", "--no-commit", "-s", "ours", "origin/main")
    theirs.commit("mine.txt", "by somebody else\n")

    assert "is locked in Git LFS by Mona Maintainer" in theirs.refused("push", "origin", "feature")


def test_a_merge_request_waits_for_locks_of_others_than_its_author(
    server: RunningServer, project: dict[str, Any], maintainer: Person, developer: Person
) -> None:
    base = f"/projects/{project['id']}"
    change = {"branch": "plans", "start_branch": "main", "content": "x", "commit_message": "x"}
    developer.client.ok("POST", f"{base}/repository/files/roof.txt", json=change)
    options = {"source_branch": "plans", "target_branch": "main", "title": "Roof"}
    request = developer.client.ok("POST", f"{base}/merge_requests", json=options)
    lock = locks(server, project, maintainer.token, "POST", json={"path": "roof.txt"}).json()["lock"]

    place = f"{base}/merge_requests/{request['iid']}"
    assert maintainer.client.ok("GET", place)["detailed_merge_status"] == "locked_lfs_files"
    refused = maintainer.client.put(f"{place}/merge")

    assert (refused.status_code, refused.json()) == (
        405,
        {
            "message": "405 Method Not Allowed", "reason": "locked_lfs_files",
            "detail": "The path 'roof.txt' is locked in Git LFS by Mona Maintainer",
        },
    )  # fmt: skip
    locks(server, project, maintainer.token, "POST", f"/{lock['id']}/unlock", json={})
    locks(server, project, developer.token, "POST", json={"path": "roof.txt"})
    # The author has locked it: anybody may merge.
    assert maintainer.client.ok("GET", place)["detailed_merge_status"] == "mergeable"
    assert maintainer.client.ok("PUT", f"{base}/merge_requests/{request['iid']}/merge")["state"] == "merged"


def test_a_commit_over_the_api_obeys_locks(
    server: RunningServer, world: World, project: dict[str, Any], maintainer: Person, developer: Person
) -> None:
    locks(server, project, maintainer.token, "POST", json={"path": "docs/plan.txt"})
    base = f"/projects/{project['id']}/repository/files/docs%2Fplan.txt"
    body = {"branch": "by-api", "start_branch": "main", "content": "x", "commit_message": "x"}
    actions = [{"action": "create", "file_path": "./docs//plan.txt", "content": "x"}]

    for reply in (
        developer.client.post(base, json=body),
        developer.client.post(
            f"/projects/{project['id']}/repository/commits",
            json={"branch": "by-api", "start_branch": "main", "commit_message": "x", "actions": actions},
        ),
    ):
        assert reply.status_code == 400
    assert developer.client.post(base, json=body).json() == {
        "message": "The path 'docs/plan.txt' is locked in Git LFS by Mona Maintainer"
    }
    assert maintainer.client.post(base, json=body).status_code == 201


def test_verify_divides_locks_and_pages_them(server: RunningServer, world: World) -> None:
    project = world.admin.ok("POST", "/projects", json={"name": world.name("pages"), "initialize_with_readme": True})
    other = world.user()
    world.member(project, other, "developer")
    for number in range(3):
        locks(server, project, ROOT_TOKEN, "POST", json={"path": f"mine-{number}"})
    locks(server, project, other.token, "POST", json={"path": "theirs"})

    first = locks(server, project, ROOT_TOKEN, "POST", "/verify", json={"limit": 2}).json()
    second = locks(server, project, ROOT_TOKEN, "POST", "/verify", json={"cursor": first["next_cursor"]}).json()

    assert [lock["path"] for lock in first["ours"]] == ["mine-0", "mine-1"]
    assert [lock["path"] for lock in second["ours"]] == ["mine-2"]
    assert [lock["path"] for lock in second["theirs"]] == ["theirs"]
    assert "next_cursor" not in second
    by_path = locks(server, project, other.token, "GET", params={"path": "mine-1"}).json()["locks"]
    assert [lock["owner"] for lock in by_path] == [{"name": "Administrator"}]
    assert locks(server, project, other.token, "GET", params={"id": by_path[0]["id"]}).json()["locks"] == by_path
    assert locks(server, project, other.token, "GET", params={"id": "x"}).json()["locks"] == []
