"""Answers about refs that are given again: without work while no ref moves, and at once new when one has."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import pytest

from ingot.gitstore import refs, smart_http
from ingot.gitstore.known_refs import LARGEST, MOST_BYTES
from ingot.gitstore.ls_refs import LsRefs
from ingot.gitstore.ref_snapshot import MOST
from ingot.gitstore.refs import RefUpdate
from ingot.gitstore.refs_state import SETTLED_SECONDS, AllRefsState
from ingot.gitstore.repository import Repository
from ingot.gitstore.smart_http import RECEIVE_PACK, UPLOAD_PACK
from ingot.gitstore.storage import Storages
from ingot.kit import tallies
from tests.gitstore.conftest import Builder
from tests.gitstore.test_refs_without_a_process import FETCH, greeting_of_git
from tests.support.waiting import until

Change = Callable[[Repository, Builder, str], object]
EVERYTHING = LsRefs(peel=True, symrefs=True, unborn=True, prefixes=())


def processes() -> int:
    """How many git processes were started so far."""
    return sum(tally.number for (part, *_), tally in tallies.totals().items() if part == tallies.GIT)


def said(repo: Repository) -> list[bytes | None]:
    """What clients hear of the refs."""
    greetings = [smart_http.list_refs(repo, service) for service in (UPLOAD_PACK, RECEIVE_PACK)]
    return [
        *greetings,
        smart_http.list_refs(repo, UPLOAD_PACK, "version=1"),
        smart_http.answer_ls_refs(repo, EVERYTHING),
    ]


def said_by_git(repo: Repository) -> list[bytes | None]:
    greetings = [greeting_of_git(repo, service) for service in (UPLOAD_PACK, RECEIVE_PACK)]
    words = ("upload-pack", "--stateless-rpc", str(repo.path))
    listed = repo.git(*words, stdin=EVERYTHING.body(), env={"GIT_PROTOCOL": "version=2"}, config=FETCH).stdout
    return [*greetings, greeting_of_git(repo, UPLOAD_PACK, "version=1"), listed]


def is_known(repo: Repository) -> bool:
    """The answers are given without git, which alone knows what version 1 says."""
    before = processes()
    said(repo)
    return processes() == before


@pytest.fixture
def head(repo: Repository, build: Builder) -> str:
    """The head of a repository with refs of all kinds, more than are read without a process."""
    sha = build.commit("main", {"a": "1"})
    names = [f"refs/heads/many/{number}" for number in range(MOST)]
    names += ["refs/heads/feature/one", "refs/merge-requests/1/head", "refs/pipelines/1", "refs/keep-around/1"]
    refs.update(repo, [RefUpdate(name, sha, None) for name in names])
    return sha


CHANGES: dict[str, Change] = {
    "a branch moves": lambda _repo, build, _head: build.commit("main", {"a": "2"}),
    "git moves a branch": lambda _repo, build, _head: build.git(
        "update-ref", "refs/heads/main", build.commit("other", {"a": "2"})
    ),
    "a branch comes": lambda repo, _build, head: refs.update(repo, [RefUpdate("refs/heads/new/deep/x", head, None)]),
    "a branch goes": lambda repo, _build, head: refs.update(repo, [RefUpdate("refs/heads/feature/one", None, head)]),
    "a tag comes": lambda _repo, build, head: build.git("tag", "v1", head),
    "a request comes": lambda _repo, build, head: build.git("update-ref", "refs/merge-requests/2/head", head),
    "a pipeline goes": lambda _repo, build, _head: build.git("update-ref", "-d", "refs/pipelines/1"),
    "a hidden ref comes": lambda _repo, build, head: build.git("update-ref", "refs/keep-around/2", head),
    "a kind of refs comes": lambda _repo, build, head: build.git("update-ref", "refs/notes/commits", head),
    "the default branch changes": lambda repo, _build, _head: repo.set_default_branch("feature/one"),
    "HEAD is detached": lambda _repo, build, head: build.git("update-ref", "--no-deref", "HEAD", head),
    "refs are packed": lambda _repo, build, _head: build.git("pack-refs", "--all"),
    "all history is cut off": lambda repo, _build, head: (repo.path / "shallow").write_text(f"{head}\n"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_is_heard_at_once(repo: Repository, build: Builder, head: str, what: str) -> None:
    until(lambda: is_known(repo))
    assert said(repo) == said_by_git(repo)

    CHANGES[what](repo, build, head)

    assert said(repo) == said_by_git(repo)
    until(lambda: is_known(repo))
    assert said(repo) == said_by_git(repo)


def test_changes_that_follow_each_other_at_once_are_all_heard(repo: Repository, build: Builder) -> None:
    shas = [build.commit("main", {"a": "1"}), build.commit("main", {"a": "2"})]
    until(lambda: is_known(repo))

    for number in range(500):
        repo.odb.references["refs/heads/main"].set_target(shas[number % 2])
        for _ in range(2):
            assert shas[number % 2].encode() in smart_http.list_refs(repo, UPLOAD_PACK)


def test_a_folder_that_changed_a_moment_ago_is_not_believed(repo: Repository, build: Builder) -> None:
    """Two changes in one tick of the file system's clock leave the same time behind."""
    shas = [build.commit("main", {"a": "1"}), build.commit("main", {"a": "2"})]
    folder = repo.path / "refs" / "heads"
    until(lambda: is_known(repo))

    def was_heard() -> bool:
        begun = monotonic()
        repo.odb.references["refs/heads/main"].set_target(shas[0])
        for _ in range(2):
            smart_http.list_refs(repo, UPLOAD_PACK)
        first = folder.stat().st_mtime_ns
        repo.odb.references["refs/heads/main"].set_target(shas[1])
        os.utime(folder, ns=(first, first))
        heard = smart_http.list_refs(repo, UPLOAD_PACK)
        was_one_tick = monotonic() - begun < SETTLED_SECONDS
        assert shas[1].encode() in heard or not was_one_tick
        return was_one_tick

    until(was_heard)


def test_a_packed_branch_that_git_moves_is_heard_at_once(repo: Repository, build: Builder, head: str) -> None:
    build.git("pack-refs", "--all")
    until(lambda: is_known(repo))

    build.commit("feature/one", {"a": "2"})

    assert said(repo) == said_by_git(repo)
    assert refs.find_branch(repo, "main") == head


def test_a_repository_that_was_replaced_is_another_one(storages: Storages, repo: Repository, build: Builder) -> None:
    build.commit("main", {"a": "1"})
    until(lambda: is_known(repo))
    other = storages.create("default", 2)
    Builder(other).commit("main", {"b": "1"})

    repo.path.rename(repo.path.with_suffix(".old"))
    other.path.rename(repo.path)

    assert said(repo) == said_by_git(repo)


def test_more_folders_than_are_worth_looking_at_are_read_each_time(repo: Repository, build: Builder) -> None:
    head = build.commit("main", {"a": "1"})
    folder = repo.path / "refs" / "heads" / "deep"
    for number in range(AllRefsState.MOST_FOLDERS):
        (folder / str(number)).mkdir(parents=True)
    (folder / "0" / "x").write_text(f"{head}\n")

    assert not AllRefsState(str(repo.path)).is_known
    assert said(repo) == said_by_git(repo)


def packed(storages: Storages, number: int, size: int) -> Repository:
    """A repository with so many bytes of refs."""
    repo = storages.create("default", number)
    head = Builder(repo).commit("main", {"a": "1"})
    line = f"{head} refs/heads/{'long' * 20}-%09d\n"
    lines = "".join(line % place for place in range(size // len(line % 0)))
    Path(repo.path / "packed-refs").write_text(f"# pack-refs with: peeled fully-peeled sorted \n{lines}")
    return repo


def test_long_answers_are_left_to_the_stream(storages: Storages) -> None:
    repo = packed(storages, 1, LARGEST + 1000)

    assert smart_http.answer_ls_refs(repo, EVERYTHING) is None


def test_what_nobody_asked_for_lately_makes_room(storages: Storages) -> None:
    size = LARGEST * 3 // 4
    repos = [packed(storages, number, size) for number in range(1, MOST_BYTES // size + 2)]

    def is_kept(repo: Repository) -> bool:
        before = processes()
        assert smart_http.answer_ls_refs(repo, EVERYTHING) is not None
        return processes() == before

    for repo in repos:
        until(lambda repo=repo: is_kept(repo))  # type: ignore[misc]

    assert is_kept(repos[-1])
    assert not is_kept(repos[0])
