"""Commits that rows show survive a real `git gc --prune=now`, at the price of few refs, which go again."""

from __future__ import annotations

from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor

import pytest
from pygit2.enums import ObjectType

from ingot.gitstore import fsck, listing, refs
from ingot.gitstore.commit import CommitOptions, FileAction, create_commit
from ingot.gitstore.commit_objects import write_commit
from ingot.gitstore.errors import LockTimeout
from ingot.gitstore.keeping import ROWS, frozen
from ingot.gitstore.repository import Repository
from tests.gitstore.conftest import ANNA, Builder

EMPTY = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


def tidy(repo: Repository, *shas: str) -> None:
    fsck.tidy(repo, lambda: shas, expire="now")


def has_object(repo: Repository, sha: str) -> bool:
    """As a fresh process sees it."""
    return repo.git("cat-file", "-e", sha, accept=(0, 1, 128)).code == 0


def held(repo: Repository) -> Collection[str]:
    return {name.removeprefix(ROWS) for name in listing.list_refs(repo) if name.startswith(ROWS)}


def test_a_pruning_keeps_what_is_wanted_and_drops_the_rest(repo: Repository, build: Builder) -> None:
    build.commit("main", {"a": "1"})
    needed = build.commit("old", {"b": "1"})
    later = build.commit("old", {"b": "2"})
    refs.delete_branch(repo, "old")

    tidy(repo, needed)

    assert has_object(repo, needed)
    assert build.git("cat-file", "-p", f"{needed}:b") == "1"
    assert not has_object(repo, later)
    assert held(repo) == {needed}
    assert fsck.check(repo).is_sound


def test_only_the_tips_of_what_branches_left_get_refs(repo: Repository, build: Builder) -> None:
    on_main = [build.commit("main", {"a": str(number)}) for number in range(3)]
    left = [build.commit("old", {"b": str(number)}, parents=None) for number in range(5)]
    other = build.commit("side", {"c": "1"}, parents=[left[1]])
    refs.delete_branch(repo, "old")
    refs.delete_branch(repo, "side")

    tidy(repo, *on_main, *left[:4], other)

    assert held(repo) == {left[3], other}
    assert all(has_object(repo, sha) for sha in [*on_main, *left[:4], other])
    assert not has_object(repo, left[4])


def test_refs_go_with_the_rows_that_wanted_them(repo: Repository, build: Builder) -> None:
    build.commit("main", {"a": "1"})
    needed = build.commit("old", {"b": "1"})
    refs.delete_branch(repo, "old")
    tidy(repo, needed)

    tidy(repo)

    assert held(repo) == set()
    assert not has_object(repo, needed)


def test_a_branch_that_comes_back_makes_its_refs_unnecessary(repo: Repository, build: Builder) -> None:
    build.commit("main", {"a": "1"})
    needed = build.commit("old", {"b": "1"})
    refs.delete_branch(repo, "old")
    tidy(repo, needed)

    refs.create_branch(repo, "again", needed)
    tidy(repo, needed)

    assert held(repo) == set()
    assert has_object(repo, needed)


def test_commits_that_never_were_here_and_nonsense_do_no_harm(repo: Repository, build: Builder) -> None:
    head = build.commit("main", {"a": "1"})

    tidy(repo, "f" * 40, "0" * 40, "--all", "", head)

    assert held(repo) == set()
    assert refs.find_branch(repo, "main") == head


def test_an_empty_repository_is_tidied_too(repo: Repository) -> None:
    tidy(repo, "f" * 40)

    assert listing.list_refs(repo) == {}


def test_a_branch_that_is_deleted_meanwhile_loses_nothing(repo: Repository, build: Builder) -> None:
    build.commit("main", {"a": "1"})
    gone = build.commit("old", {"b": "1"})
    refs.create_tag(repo, "v1", gone, message="One", tagger=ANNA)

    with frozen(repo):
        refs.delete_branch(repo, "old")
        refs.delete_tag(repo, "v1")
        build.git("gc", "--quiet", "--prune=now")
        assert has_object(repo, gone)

    assert all(not name.startswith("refs/tidying") for name in listing.list_refs(repo))


def test_thousands_of_branches_are_held_through_commits_in_between(repo: Repository, build: Builder) -> None:
    repo.odb.write(ObjectType.TREE, b"")
    heads = [write_commit(repo, EMPTY, [], f"root {number}", ANNA, ANNA) for number in range(250)]
    refs.update(repo, [refs.RefUpdate(f"refs/heads/b{number}", sha) for number, sha in enumerate(heads)])

    with frozen(repo):
        refs.update(repo, [refs.RefUpdate(f"refs/heads/b{number}", None) for number in range(250)])
        build.git("gc", "--quiet", "--prune=now")

    assert all(has_object(repo, sha) for sha in (heads[0], heads[101], heads[249]))


def test_commits_go_on_while_a_repository_is_tidied(repo: Repository, build: Builder) -> None:
    build.commit("main", {"a": "1"})
    # What a gc that was killed on another node leaves behind.
    (repo.path / "gc.pid").write_text("4711 elsewhere")
    born = []

    def commit() -> list[str]:
        options = CommitOptions(branch="main", message="Two", actions=[FileAction("create", "b", "2")], author=ANNA)
        born.append(create_commit(repo, options).sha)
        with ThreadPoolExecutor(1) as pool, pytest.raises(LockTimeout):
            pool.submit(lambda: repo.tidying(0.05).__enter__()).result()
        return []

    fsck.tidy(repo, commit, expire="30.minutes.ago")

    assert [refs.find_branch(repo, "main")] == born
    assert build.git("cat-file", "-p", f"{born[0]}:b") == "2"
    assert fsck.check(repo).is_sound
