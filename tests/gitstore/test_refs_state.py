"""The state of refs tells whether one has moved since."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ingot.gitstore import refs
from ingot.gitstore.refs import RefUpdate
from ingot.gitstore.refs_state import RefsState
from ingot.gitstore.repository import Repository
from tests.gitstore.conftest import Builder

Change = Callable[[Repository, Builder, str], object]
YESTERDAY = time.time() - 86_400


def age(folder: Path) -> None:
    """Let everything in a repository have happened long ago."""
    for place, _, files in os.walk(folder):
        for name in [place, *(str(Path(place) / file) for file in files)]:
            os.utime(name, (YESTERDAY, YESTERDAY))


CHANGES: dict[str, Change] = {
    "a branch moves": lambda _repo, build, _head: build.commit("main", {"a": "2"}),
    "a branch in a folder moves": lambda _repo, build, _head: build.commit("feature/one", {"a": "2"}),
    "a branch comes": lambda repo, _build, head: refs.update(repo, [RefUpdate("refs/heads/new/deep/x", head, None)]),
    "a branch goes": lambda repo, _build, head: refs.update(repo, [RefUpdate("refs/heads/feature/one", None, head)]),
    "a tag comes": lambda repo, _build, head: refs.update(repo, [RefUpdate("refs/tags/v1", head, None)]),
    "the default branch changes": lambda repo, _build, _head: repo.set_default_branch("feature/one"),
    "refs are packed": lambda _repo, build, _head: build.git("pack-refs", "--all"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_shows(repo: Repository, build: Builder, what: str) -> None:
    head = build.commit("main", {"a": "1"})
    refs.update(repo, [RefUpdate("refs/heads/feature/one", head, None)])
    age(repo.path)
    state = RefsState(str(repo.path))
    assert state.is_unchanged()

    CHANGES[what](repo, build, head)

    assert not state.is_unchanged()


def test_a_packed_branch_that_moves_shows(repo: Repository, build: Builder) -> None:
    build.commit("main", {"a": "1"})
    build.git("pack-refs", "--all")
    age(repo.path)
    state = RefsState(str(repo.path))

    build.commit("main", {"a": "2"})

    assert not state.is_unchanged()


def test_what_changed_this_moment_cannot_be_told_from_what_changes_next(repo: Repository, build: Builder) -> None:
    build.commit("main", {"a": "1"})
    future = time.time() + 3600
    os.utime(repo.path / "refs" / "heads", (future, future))

    assert not RefsState(str(repo.path)).is_unchanged()


def test_more_folders_than_are_worth_looking_at_are_not_known(repo: Repository, build: Builder) -> None:
    head = build.commit("main", {"a": "1"})
    refs.update(repo, [RefUpdate(f"refs/heads/folder-{number}/x", head, None) for number in range(70)])
    age(repo.path)

    assert not RefsState(str(repo.path)).is_unchanged()
