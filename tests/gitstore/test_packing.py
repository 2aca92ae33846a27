"""Packing in the background: clones find a bitmap and few packs, and nothing gets lost."""

from __future__ import annotations

import random

import pytest

from ingot.gitstore import fsck, listing, packing, refs
from ingot.gitstore.health import examine
from ingot.gitstore.refs import RefUpdate
from ingot.gitstore.repository import Repository
from tests.gitstore.conftest import Builder


def packs(repo: Repository, kind: str = "pack") -> set[str]:
    return {path.stem for path in repo.path.glob(f"objects/pack/*.{kind}")}


def noise(seed: int, size: int = packing.SMALL + 100_000) -> bytes:
    """Bytes that do not shrink."""
    return random.Random(seed).randbytes(size)


@pytest.fixture
def large(repo: Repository, build: Builder) -> str:
    """The head of a repository with one large pack, as a first push leaves it."""
    sha = build.commit("main", {"large.bin": noise(1)})
    build.git("repack", "-d", "--quiet", "--no-write-bitmap-index")
    assert packs(repo, "bitmap") == set()
    return sha


@pytest.mark.usefixtures("large")
def test_a_large_pack_gets_a_bitmap_once(repo: Repository) -> None:
    assert packing.needs_packing(repo)

    packing.pack(repo)

    assert packs(repo) == packs(repo, "bitmap")
    assert len(packs(repo)) == 1
    assert not packing.needs_packing(repo)


@pytest.mark.usefixtures("large")
def test_small_packs_are_joined_beside_the_large_one(repo: Repository, build: Builder) -> None:
    build.commit("main", {f"{number}.txt": str(number) for number in range(60)})
    build.git("repack", "-a", "-d", "--quiet", "--write-bitmap-index")
    main_pack = packs(repo)
    for number in range(packing.MOST_PACKS + 1):
        build.commit("main", {"small.txt": str(number)})
        build.git("repack", "-d", "--quiet", "--no-write-bitmap-index")
    assert packing.needs_packing(repo)

    packing.pack(repo)

    assert packs(repo, "bitmap") == main_pack
    assert len(packs(repo)) == 2
    assert not packing.needs_packing(repo)
    assert fsck.check(repo).is_sound


def test_what_no_branch_has_any_more_stays(repo: Repository, build: Builder, large: str) -> None:
    lost = build.commit("other", {"lost.bin": noise(2)}, parents=[large])
    build.git("repack", "-d", "--quiet", "--no-write-bitmap-index")
    refs.delete_branch(repo, "other")

    packing.pack(repo)

    assert len(packs(repo)) == 1
    assert build.git("cat-file", "-t", lost) == "commit"
    assert build.git("cat-file", "-s", f"{lost}:lost.bin") == str(len(noise(2)))
    assert fsck.check(repo).is_sound


def test_many_loose_refs_are_joined(repo: Repository, build: Builder) -> None:
    head = build.commit("main", {"a": "1"})
    names = [f"refs/merge-requests/{number}/head" for number in range(packing.MOST_LOOSE_REFS)]
    refs.update(repo, [RefUpdate(name, head, None) for name in names])
    before = listing.list_refs(repo)
    assert packing.needs_packing(repo)

    packing.pack(repo)

    assert not packing.needs_packing(repo)
    assert list((repo.path / "refs" / "merge-requests").iterdir()) == []
    assert listing.list_refs(repo) == before


def test_an_open_reader_goes_on_across_a_packing(repo: Repository, build: Builder, large: str) -> None:
    tree = repo.odb[large].tree_id
    for number in range(packing.MOST_PACKS + 1):
        build.commit("main", {"small.txt": str(number)})
        build.git("repack", "-d", "--quiet", "--no-write-bitmap-index")

    packing.pack(repo)

    assert repo.odb[tree]["large.bin"].size == len(noise(1))


def layers(repo: Repository) -> int:
    """The number of files of the index of commits, which knows the paths that they changed."""
    graph = examine(repo).commit_graph
    assert graph is not None
    assert graph.has_bloom_filters
    return graph.commit_graph_chain_length


def test_commits_are_indexed_with_the_paths_that_they_changed(repo: Repository, build: Builder, large: str) -> None:
    packing.pack(repo)
    assert layers(repo) == 1

    head = build.commit("main", {"more.bin": noise(3)}, parents=[large])
    build.git("repack", "-d", "--quiet", "--no-write-bitmap-index")
    assert packing.needs_packing(repo)
    packing.pack(repo)

    assert not packing.needs_packing(repo)
    build.git("commit-graph", "verify")
    assert build.git("rev-list", "main", "--", "more.bin") == head
    assert fsck.check(repo).is_sound


@pytest.mark.usefixtures("large")
def test_an_index_without_paths_is_replaced(repo: Repository, build: Builder) -> None:
    packing.pack(repo)
    build.git("commit-graph", "write", "--reachable", "--no-changed-paths")
    (repo.path / "objects" / "info" / "commit-graphs" / "commit-graph-chain").unlink(missing_ok=True)
    assert packing.needs_packing(repo)

    packing.pack(repo)

    assert layers(repo) == 1
    assert not packing.needs_packing(repo)


def test_the_index_loses_commits_that_are_gone(repo: Repository, build: Builder, large: str) -> None:
    build.commit("other", {"lost.txt": "lost"}, parents=[large])
    packing.pack(repo)
    refs.delete_branch(repo, "other")

    fsck.tidy(repo, list, expire="now")

    assert layers(repo) == 1
    build.git("commit-graph", "verify")
    assert fsck.check(repo).is_sound
