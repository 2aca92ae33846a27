"""The files that two commits change in different ways, and a merge of them with what somebody chose for each."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Literal

import msgspec

from ingot.gitstore.commit_objects import write_blob, write_commit
from ingot.gitstore.errors import MergeConflict, ObjectTooLarge, PathNotFound
from ingot.gitstore.hunks import LONG_MARKS, OURS, THEIRS, Hunk, Part, Side, joined, split_hunks, with_true_end
from ingot.gitstore.model import Person, text
from ingot.gitstore.objects import get_commit, read_blob
from ingot.gitstore.repository import Repository
from ingot.gitstore.tree_edit import EXECUTABLE, FILE, SUBMODULE, Folder

LARGEST = 256 * 1024
MOST_FILES = 50
MOST_LINES = 10_000  # of all files together
# What stays of a file: a content, the side whose file stays, or the side of each conflict by its key.
Choice = bytes | Side | Mapping[str, Side]
# Why a file is not resolved conflict by conflict: it is gone on a side; no file; binary; too long, alone or with the
# others; lines of it look like marks; no lines conflict, but names or modes.
Why = Literal[
    "gone_ours", "gone_theirs", "gone_both", "submodule", "link", "binary", "large", "crowded", "marks", "lines_fit"
]  # fmt: skip
_GONE: dict[tuple[bool, bool], Why] = {
    (False, True): "gone_ours", (True, False): "gone_theirs", (False, False): "gone_both",
}  # fmt: skip
_Stages = dict[int, tuple[str, str]]  # mode and blob by git's number: 1 the base, 2 ours, 3 theirs


class Conflict(msgspec.Struct, frozen=True):
    """A file that does not merge; it has parts where it is a text of a size to show."""

    path: str
    parts: tuple[Part, ...] | None
    why: Why | None = None

    @property
    def hunks(self) -> list[Hunk]:
        """The conflicts in the file."""
        return [part for part in self.parts or () if isinstance(part, Hunk)]

    @property
    def is_editable(self) -> bool:
        """Whether its text comes back from a form as it is: UTF-8, with line ends of one kind."""
        return self.parts is not None and _is_plain(b"".join(piece for part in self.parts for piece in _pieces(part)))


class _Merge(msgspec.Struct, frozen=True):
    tree: str  # with git's marks
    files: dict[bytes, _Stages]  # those that conflict


def conflicts(repo: Repository, ours: str, theirs: str) -> list[Conflict]:
    """The files of a merge of `theirs` into `ours` that conflict, at most fifty; none where it is clean."""
    merge = _merge(repo, ours, theirs)
    folder = Folder(repo, merge.tree)
    result, left = [], MOST_LINES
    for path, stages in islice(merge.files.items(), MOST_FILES):
        found = _conflict(repo, folder, path, stages, (ours, theirs))
        lines = sum(piece.count(b"\n") for part in found.parts or () for piece in _pieces(part)) + 3 * len(found.hunks)
        result.append(found if lines <= left else Conflict(found.path, None, "crowded"))
        left = max(0, left - lines)
    return result


def resolve(repo: Repository, ours: str, theirs: str, choices: Mapping[str, Choice], by: Person, message: str) -> str:
    """A commit that merges `theirs` into `ours`; each file that conflicts has a choice. Moves no ref.

    MergeConflict names the files without one, and those of which a conflict has none.
    """
    merge = _merge(repo, ours, theirs)
    folder = Folder(repo, merge.tree)
    contents: dict[bytes, bytes | Side] = {}
    for path, stages in merge.files.items():
        choice = choices.get(text(path))
        if isinstance(choice, Mapping):
            found = _conflict(repo, folder, path, stages, (ours, theirs))
            choice = joined(found.parts or (), choice) if found.hunks else None
        if choice is not None:
            contents[path] = choice
    left = [text(path) for path in merge.files if path not in contents]
    if left:
        raise MergeConflict(left)
    sides = {OURS: Folder(repo, get_commit(repo, ours).tree_id), THEIRS: Folder(repo, get_commit(repo, theirs).tree_id)}
    for path, content in contents.items():
        parts = path.split(b"/")
        entry = folder.find(parts)
        if isinstance(content, bytes):
            folder.put(parts, entry[0] if isinstance(entry, tuple) else FILE, write_blob(repo, content))
            continue
        chosen = sides[content].find(parts)
        if isinstance(chosen, tuple):
            folder.put(parts, *chosen)
        elif entry is not None:
            folder.remove(parts)
    return write_commit(repo, folder.write(), [ours, theirs], message, by)


def _merge(repo: Repository, ours: str, theirs: str) -> _Merge:
    options = ("--write-tree", "--allow-unrelated-histories", "--no-messages", "-z")
    result = repo.git("merge-tree", *options, ours, theirs, accept=(0, 1), config=LONG_MARKS)
    tree, _, rest = result.stdout.partition(b"\0")
    files: dict[bytes, _Stages] = {}
    for entry in rest.split(b"\0"):
        head, _, path = entry.partition(b"\t")
        if path:
            mode, blob, stage = head.decode().split(" ")
            files.setdefault(path, {})[int(stage)] = (mode, blob)
    return _Merge(tree.decode().strip(), files)


def _conflict(repo: Repository, merged: Folder, path: bytes, stages: _Stages, names: tuple[str, str]) -> Conflict:
    name, entry = text(path), merged.find(path.split(b"/"))
    modes = {mode for mode, _ in stages.values()}
    if SUBMODULE in modes:
        return Conflict(name, None, "submodule")
    if not modes <= {FILE, EXECUTABLE}:
        return Conflict(name, None, "link")
    gone = _GONE.get((2 in stages, 3 in stages))
    if not isinstance(entry, tuple):
        return Conflict(name, None, gone or "lines_fit")
    try:
        content = read_blob(repo, entry[1], LARGEST)
        if b"\0" in content:
            return Conflict(name, None, gone or "binary")
        if gone is not None:
            return Conflict(name, (content,), gone)
        parts = split_hunks(content, *names)
        if parts is None:
            return Conflict(name, None, "marks")
        whole = with_true_end(
            parts, lambda: read_blob(repo, stages[2][1], LARGEST), lambda: read_blob(repo, stages[3][1], LARGEST)
        )
    except (ObjectTooLarge, PathNotFound):
        return Conflict(name, None, gone or "large")
    return Conflict(name, tuple(whole), None if any(isinstance(part, Hunk) for part in whole) else "lines_fit")


def _pieces(part: Part) -> tuple[bytes, ...]:
    return (part,) if isinstance(part, bytes) else (part.ours, part.theirs)


def _is_plain(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    rest = content.replace(b"\r\n", b"")
    return b"\r" not in rest and (b"\n" not in rest or len(rest) == len(content))
