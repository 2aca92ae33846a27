"""Keeps repositories packed such that clones reuse what is on disk: a large pack with a bitmap, and few small ones.

Many loose refs are joined into one file, because each of them is read for a fetch.

The index of commits is kept up to date with them, for those who read histories.

Nothing is dropped here, and pushes, commits and reads go on meanwhile. Dropping is up to `fsck.tidy`.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import NamedTuple

from ingot.gitstore import commit_graph
from ingot.gitstore.errors import LockTimeout
from ingot.gitstore.process import LONG, Limits
from ingot.gitstore.repository import Repository

MOST_LOOSE = 1024
MOST_PACKS = 8  # without a bitmap
MOST_LOOSE_REFS = 1000
SMALL = 1 << 20  # bytes that are counted quickly without a bitmap
_LIMITS = Limits(3600.0, memory=LONG.memory)


class Contents(NamedTuple):
    """What the folder of objects holds."""

    mapped_bytes: int  # in packs that have a bitmap
    other_bytes: int  # in packs without
    other_packs: int
    loose: int  # objects, estimated
    newest: float  # when the newest pack came that is not small; 0 without such packs

    @property
    def are_scattered(self) -> bool:
        """There are many small files."""
        return self.loose > MOST_LOOSE or self.other_packs > MOST_PACKS

    @property
    def need_bitmap(self) -> bool:
        """Much of it is in packs without a bitmap: half as much as the rest, so that rewriting stays in proportion."""
        return self.other_bytes > SMALL and self.other_bytes * 2 > self.mapped_bytes


def needs_packing(repo: Repository) -> bool:
    """Whether a packing is worth its work."""
    contents = _contents(repo)
    if contents.are_scattered or contents.need_bitmap or commit_graph.is_behind(repo, contents.newest):
        return True
    return _has_many_loose_refs(repo)


def pack(repo: Repository) -> None:
    """Join small packs and loose objects, and write one pack with a bitmap once enough has changed; index commits."""
    with suppress(LockTimeout), repo.tidying():  # who holds it packs as well, or moves the repository away
        if _contents(repo).are_scattered:
            repo.git("repack", "-d", "-l", "--quiet", "--geometric=2", limits=_LIMITS)
        if _contents(repo).need_bitmap:
            repo.git(
                "repack", "-a", "-d", "-l", "--quiet", "--keep-unreachable", "--write-bitmap-index", limits=_LIMITS
            )
        if _contents(repo).newest:
            commit_graph.extend(repo)
        if _has_many_loose_refs(repo):
            repo.git("pack-refs", "--all", limits=_LIMITS)


def _contents(repo: Repository) -> Contents:
    sizes: dict[str, int] = {}
    newest = 0.0
    mapped: set[str] = set()
    try:
        with os.scandir(repo.path / "objects" / "pack") as files:
            for file in files:
                name, _, kind = file.name.rpartition(".")
                if kind == "bitmap":
                    mapped.add(name)
                elif kind == "pack":
                    figures = file.stat()
                    sizes[name] = figures.st_size
                    newest = max(newest, figures.st_mtime if figures.st_size > SMALL else 0.0)
    except FileNotFoundError:
        pass  # a pack that another packing has just replaced, or no packs at all
    others = [size for name, size in sizes.items() if name not in mapped]
    return Contents(sum(sizes.values()) - sum(others), sum(others), len(others), _loose(repo), newest)


def _loose(repo: Repository) -> int:
    """Judged by one of the 256 folders, as git does."""
    try:
        return len(os.listdir(repo.path / "objects" / "17")) * 256  # noqa: PTH208 - names alone, asked for after each push
    except FileNotFoundError:
        return 0


def _has_many_loose_refs(repo: Repository) -> bool:
    number = 0
    for _, _, files in os.walk(repo.path / "refs"):
        number += len(files)
        if number > MOST_LOOSE_REFS:
            return True
    return False
