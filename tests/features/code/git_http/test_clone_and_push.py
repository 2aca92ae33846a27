"""Clone, fetch and push with the real git client."""

import random
from pathlib import Path
from typing import Any

import pytest

from tests.features.code.git_http.git_client import GitClient, address, clone
from tests.support.server import RunningServer
from tests.support.waiting import until
from tests.support.world import Person, World

pytestmark = pytest.mark.costly


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture
def project(world: World, owner: Person) -> dict[str, Any]:
    return world.project(owner, initialize_with_readme=True)


def test_first_push_of_an_empty_project_settles_everything(
    world: World, server: RunningServer, owner: Person, tmp_path: Path
) -> None:
    project = world.project(owner)
    here = clone(tmp_path / "here", address(server, project, owner.token))
    here.ok("checkout", "-q", "-b", "trunk")
    sha = here.commit("a.txt")

    here.ok("push", "-q", "origin", "trunk")

    now = owner.client.ok("GET", f"/projects/{project['id']}")
    assert (now["default_branch"], now["empty_repo"]) == ("trunk", False)
    assert now["last_activity_at"] >= project["last_activity_at"]
    branch = owner.client.ok("GET", f"/projects/{project['id']}/repository/branches/trunk")
    assert (branch["commit"]["id"], branch["protected"]) == (sha, True)
    again = clone(tmp_path / "again", address(server, project, owner.token))
    assert again.ok("branch", "--show-current").strip() == "trunk"


def test_pushing_a_branch_shows_where_to_open_a_merge_request(
    server: RunningServer, owner: Person, project: dict[str, Any], tmp_path: Path
) -> None:
    here = clone(tmp_path / "here", address(server, project, owner.token, "oauth2"))
    here.ok("checkout", "-q", "-b", "feature/one")
    here.commit("a.txt")

    shown = here.ok("push", "origin", "feature/one")

    assert "remote: To create a merge request for feature/one, visit:" in shown
    assert "/-/merge_requests/new?merge_request%5Bsource_branch%5D=feature%2Fone" in shown
    owner.client.ok(
        "POST",
        f"/projects/{project['id']}/merge_requests",
        json={"title": "One", "source_branch": "feature/one", "target_branch": "main"},
    )
    here.commit("b.txt")
    shown = here.ok("push", "origin", "feature/one")
    assert "remote: View merge request for feature/one:" in shown
    assert f"/{project['path_with_namespace']}/-/merge_requests/1" in shown


def test_force_pushes_to_protected_branches_are_refused(
    server: RunningServer, owner: Person, project: dict[str, Any], tmp_path: Path
) -> None:
    here = clone(tmp_path / "here", address(server, project, owner.token))
    here.commit("a.txt")
    here.ok("push", "-q", "origin", "main")
    here.ok("commit", "-q", "--amend", "-m", "Rewritten")

    said = here.refused("push", "--force", "origin", "main")

    assert "remote: GitLab: You are not allowed to force push code to a protected branch on this project." in said
    assert "[remote rejected]" in said
    assert "GitLab: The default branch of a project cannot be deleted." in here.refused("push", "origin", ":main")
    here.ok("push", "-q", "origin", "HEAD:refs/heads/free")
    here.ok("commit", "-q", "--amend", "-m", "Again")
    here.ok("push", "-q", "--force", "origin", "HEAD:refs/heads/free")
    here.ok("push", "-q", "origin", ":free")


def test_developers_push_only_to_unprotected_branches(
    world: World, server: RunningServer, project: dict[str, Any], tmp_path: Path
) -> None:
    developer = world.user()
    world.member(project, developer, "developer")
    here = clone(tmp_path / "here", address(server, project, developer.token))
    here.commit("a.txt")

    said = here.refused("push", "origin", "main")

    assert "remote: GitLab: You are not allowed to push code to protected branches on this project." in said
    both = here.refused("push", "origin", "main", "main:topic")
    assert both.count("[remote rejected]") == 2
    here.ok("push", "-q", "origin", "main:topic")
    here.ok("tag", "v1")
    here.ok("push", "-q", "origin", "v1")
    here.ok("tag", "-f", "v1", "HEAD~1")
    said = here.refused("push", "--force", "origin", "v1")
    assert "GitLab: You are not allowed to change existing tags on this project." in said
    here.ok("push", "-q", "origin", ":v1")


def test_refs_of_the_service_itself_are_closed(
    server: RunningServer, owner: Person, project: dict[str, Any], tmp_path: Path
) -> None:
    here = clone(tmp_path / "here", address(server, project, owner.token))

    for ref in ("refs/merge-requests/1/head", "refs/keep-around/x", "refs/pipelines/1"):
        said = here.refused("push", "origin", f"HEAD:{ref}")
        assert "GitLab: You are not allowed to change this reference." in said
    name = "a" * 40
    assert "40-character hexadecimal" in here.refused("push", "origin", f"HEAD:refs/heads/{name}")


def test_shallow_partial_and_old_protocols(
    world: World, server: RunningServer, owner: Person, project: dict[str, Any], tmp_path: Path
) -> None:
    for number in range(5):
        world.commit(project, "main", {f"{number}.txt": "x\n"})
    url = address(server, project, owner.token)

    shallow = clone(tmp_path / "shallow", url, "--depth", "2")
    assert shallow.ok("rev-list", "--count", "HEAD").strip() == "2"
    shallow.ok("fetch", "-q", "--unshallow")
    assert shallow.ok("rev-list", "--count", "HEAD").strip() == "6"
    partial = clone(tmp_path / "partial", url, "--filter=blob:none", "--no-checkout")
    partial.ok("checkout", "-q", "main")
    for version in ("0", "1", "2"):
        old = clone(tmp_path / f"v{version}", url, "-c", f"protocol.version={version}")
        assert old.ok("rev-list", "--count", "HEAD").strip() == "6"
        old.ok("checkout", "-q", "-b", f"v{version}")
        old.commit(f"from-v{version}.txt")
        old.ok("push", "-q", "origin", f"v{version}")


def test_large_pushes_stream_and_gzip_bodies_are_read(
    server: RunningServer, owner: Person, project: dict[str, Any], tmp_path: Path
) -> None:
    here = clone(tmp_path / "here", address(server, project, owner.token))
    import os

    (here.folder / "big.bin").write_bytes(os.urandom(3_000_000))
    here.ok("add", ".")
    here.ok("commit", "-q", "-m", "Big")

    here.ok("-c", "http.postBuffer=65536", "push", "-q", "origin", "main")

    # Many haves make git compress its request.
    other = clone(tmp_path / "other", address(server, project, owner.token))
    for number in range(120):
        other.ok("commit", "-q", "--allow-empty", "-m", f"{number}")
    here.commit("more.txt")
    here.ok("push", "-q", "origin", "main")
    other.ok("fetch", "-q")
    assert GitClient(tmp_path / "other").ok("cat-file", "-s", "origin/main:big.bin").strip() == "3000000"


def test_tags_arrive_with_their_messages(
    server: RunningServer, owner: Person, project: dict[str, Any], tmp_path: Path
) -> None:
    here = clone(tmp_path / "here", address(server, project, owner.token))
    here.ok("tag", "-a", "v1.0", "-m", "The first")
    here.ok("tag", "light")

    here.ok("push", "-q", "origin", "--tags")

    again = clone(tmp_path / "again", address(server, project, owner.token))
    assert again.ok("tag").split() == ["light", "v1.0"]
    assert again.ok("cat-file", "-t", "v1.0").strip() == "tag"


def test_push_options_reach_listeners(
    server: RunningServer, owner: Person, project: dict[str, Any], tmp_path: Path
) -> None:
    here = clone(tmp_path / "here", address(server, project, owner.token))
    here.commit("a.txt")

    here.ok("push", "-q", "-o", "ci.skip", "origin", "main")


def test_a_large_push_gets_a_bitmap_in_the_background(
    world: World, server: RunningServer, owner: Person, tmp_path: Path
) -> None:
    project = world.project(owner)
    here = clone(tmp_path / "here", address(server, project, owner.token))
    noise = random.Random(1)
    for number in range(120):  # git keeps fewer objects loose
        (here.folder / f"{number}.bin").write_bytes(noise.randbytes(10_000))
    here.ok("add", ".")
    here.ok("commit", "-q", "-m", "Much")

    here.ok("push", "-q", "origin", "HEAD:main")

    until(lambda: list(world.repository(project).path.glob("objects/pack/*.bitmap")))
    again = clone(tmp_path / "again", address(server, project, owner.token))
    assert again.ok("rev-parse", "HEAD") == here.ok("rev-parse", "HEAD")
    assert len(list(again.folder.glob("*.bin"))) == 120
