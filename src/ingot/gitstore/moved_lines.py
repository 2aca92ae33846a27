"""Where the lines of some files stand in another commit."""

from __future__ import annotations

import hashlib
from collections.abc import Collection

import msgspec

from ingot.gitstore.diff import DiffLimits, FileDiff, diff, new_names
from ingot.gitstore.errors import GitError
from ingot.gitstore.remembered import remembered
from ingot.gitstore.repository import Repository
from ingot.kit.patterns import pattern

LIMITS = DiffLimits(max_lines=40_000, max_bytes=2_000_000, max_patch_bytes=500_000)
_HUNK = pattern(r"^@@ -([0-9]+)(?:,([0-9]+))? \+[0-9]+(?:,([0-9]+))? @@", multi_line=True)

Hunk = tuple[int, int, int]
"""The first old line, how many there were, how many there are now. Without old lines, new ones follow the first."""


class Moves(msgspec.Struct, frozen=True):
    """What became of some files, by their paths in the old commit."""

    names: dict[str, str]  # of those that were renamed
    hunks: dict[str, list[Hunk]]  # of those that changed
    unknown: set[str] = set()  # those that git cannot compare, or that are too large

    def path(self, path: str) -> str:
        """The name of a file in the new commit."""
        return self.names.get(path, path)

    def line(self, path: str, number: int) -> int | None:
        """The number of a line in the new commit; None where it is gone or different, or where nobody knows."""
        if path in self.unknown:
            return None
        shift = 0
        for first, count, added in self.hunks.get(path, ()):
            if number < first or (not count and number == first):
                break
            if number < first + count:
                return None
            shift += added - count
        return number + shift


def moves(repository: Repository, old: str, new: str, paths: Collection[str]) -> Moves:
    """From commit `old` to `new`."""
    wanted = sorted(set(paths))
    if old == new or not wanted:
        return Moves({}, {})

    def ask() -> bytes:
        names = new_names(repository, old, new, wanted)
        result = diff(repository, old, new, paths=(*wanted, *names.values()), context=0, limits=LIMITS)
        unknown = {file.old_path for file in result.files if file.too_large or file.collapsed}
        if result.overflow:
            unknown |= set(wanted) - {file.old_path for file in result.files}
        return msgspec.json.encode(Moves(names, {file.old_path: _hunks(file) for file in result.files}, unknown))

    digest = hashlib.sha1("\0".join(wanted).encode("utf-8", "surrogateescape"), usedforsecurity=False).hexdigest()
    try:
        return msgspec.json.decode(remembered(repository, ("moved_lines", old, new, digest), ask), type=Moves)
    except GitError:
        return Moves({}, {}, set(wanted))


def _hunks(file: FileDiff) -> list[Hunk]:
    return [(int(hunk[1]), int(hunk[2] or 1), int(hunk[3] or 1)) for hunk in _HUNK.finditer(file.diff)]
