"""Many branches: what clients hear of them is whole, and that of the last push at once."""

from pathlib import Path
from typing import Any

import pytest

from ingot.gitstore import listing, refs
from ingot.gitstore.packing import MOST_LOOSE_REFS
from ingot.gitstore.refs import RefUpdate
from tests.features.code.git_http.git_client import GitClient, address, clone
from tests.support import plain_http
from tests.support.server import RunningServer
from tests.support.waiting import until
from tests.support.world import Person, World

MANY = 3_000
PUSHES = 5


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def project(world: World, owner: Person) -> dict[str, Any]:
    created = world.project(owner, initialize_with_readme=True)
    repository = world.repository(created)
    head = refs.find_branch(repository, "main")
    refs.update(repository, [RefUpdate(f"refs/heads/many/branch-{number}", head, None) for number in range(MANY)])
    return created


@pytest.mark.parametrize("version", ["0", "1", "2"])
def test_all_branches_are_listed(
    world: World, server: RunningServer, owner: Person, project: dict[str, Any], tmp_path: Path, version: str
) -> None:
    here, url = GitClient(tmp_path / "here"), address(server, project, owner.token)

    for _ in range(3):
        lines = here.ok("-c", f"protocol.version={version}", "ls-remote", "--heads", url).splitlines()

        assert len(lines) > MANY
        heard = {name: sha for sha, name in (line.split("\t") for line in lines)}
        assert heard == listing.list_refs(world.repository(project), "refs/heads/")


def test_a_push_has_loose_refs_joined(
    world: World, server: RunningServer, owner: Person, project: dict[str, Any], tmp_path: Path
) -> None:
    repository = world.repository(project)
    head = refs.find_branch(repository, "main")
    refs.update(repository, [RefUpdate(f"refs/heads/loose/{number}", head, None) for number in range(MOST_LOOSE_REFS)])
    before = listing.list_refs(repository, "refs/heads/loose/")
    here = clone(tmp_path / "here", address(server, project, owner.token), "--single-branch")
    here.commit("joined.txt")

    here.ok("push", "-q", "origin", "HEAD:main")

    def are_joined() -> bool:
        world.run_jobs()
        return not (repository.path / "refs" / "heads" / "loose").exists()

    until(are_joined)  # a second later
    assert listing.list_refs(repository, "refs/heads/loose/") == before


def test_a_push_is_heard_at_once(server: RunningServer, owner: Person, project: dict[str, Any], tmp_path: Path) -> None:
    here = clone(tmp_path / "here", address(server, project, owner.token), "--single-branch")
    url = f"{server.url}/{project['path_with_namespace']}.git/info/refs"

    for number in range(PUSHES):
        tip = here.commit("file.txt", f"{number}\n")
        here.ok("push", "-q", "origin", "HEAD:main")

        for service in ("git-upload-pack", "git-receive-pack"):
            heard = plain_http.get(url, params={"service": service}, auth=("x", owner.token)).text
            assert f"{tip} refs/heads/main" in heard
        assert f"{tip}\trefs/heads/main" in here.ok("ls-remote", "--heads", "origin", "main")
