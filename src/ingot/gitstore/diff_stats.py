"""What changed between two commits, file by file: names, modes, contents and counted lines, without the lines."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from ingot.gitstore.errors import OutputTooLarge, RevisionNotFound, TimedOut, TooMuchMemory
from ingot.gitstore.model import text
from ingot.gitstore.names import is_sha
from ingot.gitstore.process import Limits
from ingot.gitstore.remembered import remembered
from ingot.gitstore.repository import Repository

MOST_FILES = 3000  # as many as a diff has (`DiffLimits.max_files`)
LARGEST_KEPT = 1 << 20  # bytes of an answer
LIMITS = Limits(seconds=5.0)  # for counting lines: pages wait for it, and can do without
UNKNOWN = b"null"  # the answer where that was not enough, or there is too much to count


class FileStat(msgspec.Struct, frozen=True, array_like=True):
    """One changed file."""

    path: str
    old_path: str
    status: str
    """`A`dded, `M`odified, `D`eleted, `R`enamed, `T`ype changed."""
    a_mode: str
    b_mode: str
    old_id: str
    new_id: str
    added: int
    removed: int
    is_binary: bool


class DiffStats(msgspec.Struct, frozen=True, array_like=True):
    """The changed files in git's order, and what all of them count to; `files` may leave some out."""

    files: list[FileStat]
    count: int
    added: int
    removed: int


_Raw = tuple[str, str, str, str, str, str, str]


def diff_stats(repo: Repository, old: str, new: str) -> DiffStats | None:
    """From commit or tree `old` (EMPTY_TREE_ID for nothing) to `new`; None where that is too much to count."""
    for sha in (old, new):
        if not is_sha(sha):
            raise RevisionNotFound(sha)

    def ask() -> bytes:
        flags = ("-r", "-z", "-M", "--no-abbrev", "--no-ext-diff", "--no-textconv")
        try:
            output = repo.git("diff-tree", "--raw", "--numstat", *flags, old, new, "--", limits=LIMITS).stdout
        except (TimedOut, OutputTooLarge, TooMuchMemory):
            return UNKNOWN
        answer = msgspec.json.encode(_parse(output))
        return answer if len(answer) <= LARGEST_KEPT else UNKNOWN  # it would be counted again for each look

    return msgspec.json.decode(remembered(repo, ("diff_stats", old, new), ask, LARGEST_KEPT), type=DiffStats | None)


def _parse(output: bytes) -> DiffStats:
    fields = iter(output.split(b"\0"))
    raws: list[_Raw] = []
    files: list[FileStat] = []
    count = all_added = all_removed = 0
    for field in fields:
        if field.startswith(b":"):
            raws.append(_raw(field, fields))
        elif field:
            added, removed, path = field.split(b"\t", 2)
            if not path:  # a rename has its two names behind
                next(fields)
                next(fields)
            raw, is_binary = raws[count], added == b"-"
            counts = (0, 0) if is_binary else (int(added), int(removed))
            count, all_added, all_removed = count + 1, all_added + counts[0], all_removed + counts[1]
            if count <= MOST_FILES:
                files.append(FileStat(*raw, counts[0], counts[1], is_binary))
    return DiffStats(files, count, all_added, all_removed)


def _raw(field: bytes, fields: Iterator[bytes]) -> _Raw:
    """Paths, status, modes and ids of one record."""
    a_mode, b_mode, old_id, new_id, status = field.decode("ascii").lstrip(":").split(" ")
    old_path = new_path = next(fields)
    if status[0] in "RC":
        new_path = next(fields)
    return text(new_path), text(old_path), status[0], a_mode, b_mode, old_id, new_id
