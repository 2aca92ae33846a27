"""The files that two commits change in different ways, with git's marks around both sides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from ingot.gitstore.commit_objects import write_blob, write_commit
from ingot.gitstore.errors import MergeConflict, ObjectTooLarge, PathNotFound
from ingot.gitstore.model import Person, text
from ingot.gitstore.objects import get_commit, read_blob
from ingot.gitstore.repository import Repository
from ingot.gitstore.tree_edit import FILE, Folder

LARGEST = 256 * 1024
MOST_FILES = 50
MOST_LINES = 10_000  # of all files together
OURS: Literal["ours"] = "ours"
THEIRS: Literal["theirs"] = "theirs"
Choice = bytes | Literal["ours", "theirs"]  # the content of a file, or the side whose file stays


class Conflict(msgspec.Struct, frozen=True):
    """A file that does not merge; its content is None where it is no text of a size to show, or gone on a side.

    So are the files after those that have as many lines as one page shows.
    """

    path: str
    content: str | None


def conflicts(repo: Repository, ours: str, theirs: str) -> list[Conflict]:
    """The files of a merge that conflict, at most fifty; none where it is clean."""
    tree, paths = _merge(repo, ours, theirs)
    paths = paths[:MOST_FILES]
    blobs = dict(_blobs(repo, tree, paths))
    found, left = [], MOST_LINES
    for path in paths:
        content = _shown(repo, blobs.get(path)) if left else None
        lines = 0 if content is None else content.count("\n")
        found.append(Conflict(text(path), content if lines <= left else None))
        left = max(0, left - lines)
    return found


def resolve(repo: Repository, ours: str, theirs: str, choices: Mapping[str, Choice], by: Person, message: str) -> str:
    """A commit that merges `theirs` into `ours`; each file that conflicts has a choice. Moves no ref.

    MergeConflict names the files without one.
    """
    tree, paths = _merge(repo, ours, theirs)
    left = [text(path) for path in paths if text(path) not in choices]
    if left:
        raise MergeConflict(left)
    folder = Folder(repo, tree)
    sides = {OURS: Folder(repo, get_commit(repo, ours).tree_id), THEIRS: Folder(repo, get_commit(repo, theirs).tree_id)}
    for path in paths:
        parts, choice = path.split(b"/"), choices[text(path)]
        entry = folder.find(parts)
        if isinstance(choice, bytes):
            folder.put(parts, entry[0] if isinstance(entry, tuple) else FILE, write_blob(repo, choice))
            continue
        chosen = sides[choice].find(parts)
        if isinstance(chosen, tuple):
            folder.put(parts, *chosen)
        elif entry is not None:
            folder.remove(parts)
    return write_commit(repo, folder.write(), [ours, theirs], message, by)


def _merge(repo: Repository, ours: str, theirs: str) -> tuple[str, list[bytes]]:
    """The tree with git's marks, and the paths that conflict."""
    options = ("--write-tree", "--allow-unrelated-histories", "--name-only", "--no-messages", "-z")
    result = repo.git("merge-tree", *options, ours, theirs, accept=(0, 1))
    tree, _, rest = result.stdout.partition(b"\0")
    return tree.decode().strip(), [path for path in dict.fromkeys(rest.split(b"\0")) if path]


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
