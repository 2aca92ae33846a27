"""Differences between two commits: per-file records with limits, names, digests and the raw diff."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator

import msgspec

from ingot.gitstore.diff_parser import DiffLimits, DiffReader, FileDiff
from ingot.gitstore.errors import RevisionNotFound
from ingot.gitstore.model import EMPTY_TREE_ID, text
from ingot.gitstore.names import is_sha
from ingot.gitstore.objects import find_entry, get_commit
from ingot.gitstore.process import Limits
from ingot.gitstore.repository import Repository
from ingot.gitstore.streams import STREAM, piped, stream

__all__ = [
    "ChangedPath", "Diff", "DiffLimits", "FileDiff", "changed_entries", "changed_paths", "diff",
    "diff_of_commit", "digest_of_entries", "new_names", "patch_id", "raw_diff",
]  # fmt: skip

_UNSTYLED = ("--no-ext-diff", "--no-textconv", "--no-color", "--full-index", "-r")
_PLAIN = (*_UNSTYLED, "-M")

_LIMITS = Limits(output=1 << 40)  # the reader stops at its own limits


class Diff(msgspec.Struct, frozen=True):
    files: list[FileDiff]
    overflow: bool
    """True when files were left out because a limit on files, lines or bytes was reached."""


class ChangedPath(msgspec.Struct, frozen=True):
    status: str
    """`A`dded, `M`odified, `D`eleted, `R`enamed, `T`ype changed."""
    old_path: str
    new_path: str


def diff(
    repo: Repository,
    old: str,
    new: str,
    *,
    limits: DiffLimits | None = None,
    paths: tuple[str, ...] = (),
    context: int = 3,
) -> Diff:
    """From commit or tree `old` (EMPTY_TREE_ID for nothing) to `new`. With `limits` None nothing is
    left out; OutputTooLarge when that is more than 16 MB."""
    args = ["diff-tree", "--raw", "-p", "-z", "--no-abbrev", f"-U{context}", *_PLAIN, *_pair(old, new), "--", *paths]
    reader = DiffReader(limits)
    files = list(reader.read(stream(repo.path, args, limits=_LIMITS.within(repo.seconds, repo.memory))))
    return Diff(files, reader.overflow)


def diff_of_commit(repo: Repository, sha: str, *, limits: DiffLimits | None = None) -> Diff:
    """Against the first parent; a root commit against nothing."""
    parents = get_commit(repo, sha).parent_ids
    return diff(repo, parents[0] if parents else EMPTY_TREE_ID, sha, limits=limits)


def changed_paths(repo: Repository, old: str, new: str) -> list[ChangedPath]:
    """Names only: much cheaper than a diff."""
    fields = iter(repo.git("diff-tree", "--name-status", "-z", "-M", "-r", *_pair(old, new), "--").stdout.split(b"\0"))
    result = []
    for status in fields:
        if not status:
            break
        old_path = new_path = next(fields)
        if status[:1] in (b"R", b"C"):
            new_path = next(fields)
        result.append(ChangedPath(status[:1].decode(), text(old_path), text(new_path)))
    return result


def new_names(repo: Repository, old: str, new: str, paths: Collection[str]) -> dict[str, str]:
    """By the path of a file at `old`: the one that it has at `new`, where it was renamed."""
    gone = {path for path in paths if find_entry(repo, new, path) is None}
    if not gone:
        return {}
    return {
        change.old_path: change.new_path
        for change in changed_paths(repo, old, new)
        if change.status == "R" and change.old_path in gone
    }


def changed_entries(repo: Repository, old: str, new: str) -> dict[bytes, bytes]:
    """By path: modes and object ids on both sides, as git stores them. A rename is a removal and an addition."""
    fields = repo.git(*_entries(old, new)).stdout.split(b"\0")
    return {path: entry for entry, path in zip(fields[0::2], fields[1::2], strict=False)}


def digest_of_entries(repo: Repository, old: str, new: str) -> str:
    """A digest of `changed_entries`. Equal digests mean equal files, whatever a diff would show."""
    digest = hashlib.sha256()
    for chunk in stream(repo.path, _entries(old, new), limits=_LIMITS.within(repo.seconds, repo.memory)):
        digest.update(chunk)
    return digest.hexdigest()


def patch_id(repo: Repository, old: str, new: str) -> str | None:
    """What git calls the patch by, wherever its lines stand; None if nothing changes."""
    args = ["diff-tree", "-p", "--no-renames", *_UNSTYLED, *_pair(old, new), "--"]
    limits = _LIMITS.within(repo.seconds, repo.memory)
    words = piped(repo.path, args, ["patch-id", "--stable"], limits=limits).split()
    return words[0].decode() if words else None


def _entries(old: str, new: str) -> list[str]:
    return ["diff-tree", "--raw", "-z", "-r", "--no-renames", "--no-abbrev", *_pair(old, new), "--"]


def raw_diff(repo: Repository, old: str, new: str) -> Iterator[bytes]:
    """The whole unified diff as git prints it, streamed."""
    # Not --binary: git would load files above its threshold to look at them, and compare them line by line.
    args = ["diff-tree", "-p", "--full-index", *_PLAIN, *_pair(old, new), "--"]
    return stream(repo.path, args, limits=STREAM.within(repo.seconds, repo.memory), silence=repo.seconds)


def _pair(old: str, new: str) -> tuple[str, str]:
    _check(old, new)
    return old, new


def _check(*shas: str) -> None:
    for sha in shas:
        if not is_sha(sha):
            raise RevisionNotFound(sha)
