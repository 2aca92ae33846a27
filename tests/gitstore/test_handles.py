"""Handles that are used again see what the repository holds now."""

import shutil
from pathlib import Path

import pytest

from ingot.gitstore import refs, revisions
from ingot.gitstore.errors import RepositoryNotFound
from ingot.gitstore.repository import Repository
from tests.gitstore.conftest import Builder


def look(path: Path) -> Repository:
    """A new value for the place, as every request makes one."""
    return Repository(path)


def test_the_next_value_takes_over_the_handle(repo: Repository, build: Builder) -> None:
    build.commit("main", {"a": "1"})
    build.git("gc", "--quiet")
    first = look(repo.path).odb

    assert look(repo.path).odb is first


def test_values_that_live_at_the_same_time_have_handles_of_their_own(repo: Repository) -> None:
    one, other = look(repo.path), look(repo.path)

    assert one.odb is not other.odb


def test_what_was_written_and_packed_meanwhile_is_seen(repo: Repository, build: Builder) -> None:
    assert refs.find_branch(look(repo.path), "main") is None
    head = build.commit("main", {"a": "1"})
    assert revisions.find(look(repo.path), "main") == head
    build.git("gc", "--quiet", "--prune=now")
    assert revisions.find(look(repo.path), "main") == head


def test_a_repository_that_was_replaced_or_removed_is_opened_anew(
    repo: Repository, build: Builder, tmp_path: Path
) -> None:
    head = build.commit("main", {"a": "1"})
    bare = tmp_path / "empty.git"
    build.git("init", "--quiet", "--bare", str(bare))
    assert revisions.has_object(look(repo.path), head)

    repo.path.rename(tmp_path / "aside.git")
    shutil.copytree(bare, repo.path)
    assert not revisions.has_object(look(repo.path), head)

    shutil.rmtree(repo.path)
    with pytest.raises(RepositoryNotFound):
        _ = look(repo.path).odb
