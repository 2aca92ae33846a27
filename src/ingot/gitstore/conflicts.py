"""The files that two commits change in different ways, with git's marks around both sides."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from ingot.gitstore.errors import ObjectTooLarge, PathNotFound
from ingot.gitstore.model import text
from ingot.gitstore.objects import read_blob
from ingot.gitstore.repository import Repository

LARGEST = 256 * 1024
MOST_FILES = 50
MOST_LINES = 10_000  # of all files together


class Conflict(msgspec.Struct, frozen=True):
    """A file that does not merge; its content is None where it is no text of a size to show, or gone on a side.

    So are the files after those that have as many lines as one page shows.
    """

    path: str
    content: str | None


def conflicts(repo: Repository, ours: str, theirs: str) -> list[Conflict]:
    """The files of a merge that conflict, at most fifty; none where it is clean."""
    options = ("--write-tree", "--allow-unrelated-histories", "--name-only", "--no-messages", "-z")
    result = repo.git("merge-tree", *options, ours, theirs, accept=(0, 1))
    if result.code == 0:
        return []
    tree, _, rest = result.stdout.partition(b"\0")
    paths = [path for path in dict.fromkeys(rest.split(b"\0")) if path][:MOST_FILES]
    blobs = dict(_blobs(repo, tree.decode(), paths))
    found, left = [], MOST_LINES
    for path in paths:
        content = _shown(repo, blobs.get(path)) if left else None
        lines = 0 if content is None else content.count("\n")
        found.append(Conflict(text(path), content if lines <= left else None))
        left = max(0, left - lines)
    return found


def _blobs(repo: Repository, tree: str, paths: list[bytes]) -> Iterator[tuple[bytes, str]]:
    listing = repo.git("ls-tree", "-r", "-z", "--full-tree", tree, "--", *map(text, paths))
    for entry in listing.stdout.split(b"\0"):
        head, _, path = entry.partition(b"\t")
        if path:
            yield path, head.split(b" ")[2].decode()


def _shown(repo: Repository, blob: str | None) -> str | None:
    if blob is None:
        return None
    try:
        content = read_blob(repo, blob, LARGEST)
    except (ObjectTooLarge, PathNotFound):
        return None
    return None if b"\0" in content else content.decode(errors="replace")
