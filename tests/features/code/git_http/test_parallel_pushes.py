"""Many pushes at once: to different branches all land, to one branch exactly one wins."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from ingot.gitstore import fsck, refs
from tests.features.code.git_http.git_client import GitClient, address, clone
from tests.support.server import RunningServer
from tests.support.world import Person, World

PUSHERS = 8


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


def made_commits(here: GitClient) -> list[str]:
    """Commits beside each other, all on top of the present head."""
    tree = here.ok("rev-parse", "HEAD^{tree}").strip()
    return [here.ok("commit-tree", tree, "-p", "HEAD", "-m", f"{number}").strip() for number in range(PUSHERS)]


def push_all(here: GitClient, specs: list[str]) -> list[tuple[int, str]]:
    """All pushes at the same time."""
    running = [
        subprocess.Popen(
            ["git", "push", "origin", spec],
            cwd=here.folder,
            env={"PATH": "/usr/bin:/bin:/usr/local/bin", "HOME": str(here.folder.parent), "GIT_TERMINAL_PROMPT": "0"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        for spec in specs
    ]
    said = [process.communicate(timeout=300)[0].decode() for process in running]
    return [(process.returncode, text) for process, text in zip(running, said, strict=True)]


def test_pushes_to_different_branches_all_land(
    world: World, server: RunningServer, owner: Person, tmp_path: Path
) -> None:
    project = world.project(owner, initialize_with_readme=True)
    here = clone(tmp_path / "here", address(server, project, owner.token))
    commits = made_commits(here)

    ended = push_all(here, [f"{sha}:refs/heads/branch-{number}" for number, sha in enumerate(commits)])

    assert [code for code, _ in ended] == [0] * PUSHERS, ended
    repository = world.repository(project)
    assert [refs.find_branch(repository, f"branch-{number}") for number in range(PUSHERS)] == commits
    assert fsck.check(repository).is_sound


def test_of_pushes_to_one_branch_one_wins_and_the_others_are_told_to_fetch(
    world: World, server: RunningServer, owner: Person, tmp_path: Path
) -> None:
    project: dict[str, Any] = world.project(owner, initialize_with_readme=True)
    here = clone(tmp_path / "here", address(server, project, owner.token))
    here.ok("push", "-q", "origin", "HEAD:refs/heads/shared")
    commits = made_commits(here)

    ended = push_all(here, [f"{sha}:refs/heads/shared" for sha in commits])

    winners = [sha for sha, (code, _) in zip(commits, ended, strict=True) if code == 0]
    assert len(winners) == 1, ended
    repository = world.repository(project)
    assert refs.find_branch(repository, "shared") == winners[0]
    losers = [text.lower() for code, text in ended if code != 0]
    # One that asks for the refs after the winner hears it from its own git, which has the winner's commit here.
    assert all("fetch first" in text or "non-fast-forward" in text for text in losers), losers
    assert fsck.check(repository).is_sound
