"""The refs that a client may see, read without a process; what only git can explain is left to git."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pygit2
from pygit2.enums import ObjectType

from ingot.gitstore.loose_refs import few_refs
from ingot.gitstore.names import is_valid_ref
from ingot.gitstore.repository import Repository

# Loose refs, and twice as many in all. A process costs as much as about 150, whose objects are looked at, too.
MOST = 150
_SYMBOLIC = b"ref: "
_DEEPEST = 10  # tags of tags; git follows any number


class Ref(msgspec.Struct, frozen=True):
    """`peeled` is what an annotated tag leads to."""

    name: bytes
    oid: bytes
    peeled: bytes | None = None


class RefSnapshot(msgspec.Struct, frozen=True):
    """All visible refs in git's order. HEAD names a branch, whether or not that exists."""

    head_target: bytes
    refs: tuple[Ref, ...]

    @property
    def head(self) -> bytes | None:
        """The commit of HEAD; None before the first commit."""
        return next((ref.oid for ref in self.refs if ref.name == self.head_target), None)


def take_snapshot(repo: Repository, hidden: Sequence[str]) -> RefSnapshot | None:
    """None where git has to be asked: many refs, broken ones, a HEAD that is no branch, a shallow repository."""
    head_target = _head_target(repo)
    if head_target is None or (repo.path / "shallow").exists():
        return None
    values = few_refs(repo.path, hidden=[name.encode() for name in hidden], most=MOST)
    if values is None:
        return None
    try:
        refs = tuple(_ref(repo, name, values[name]) for name in sorted(values))
    except (KeyError, ValueError, pygit2.GitError):
        return None  # an object is missing, or a name is none
    return RefSnapshot(head_target, refs)


def _head_target(repo: Repository) -> bytes | None:
    try:
        content = (repo.path / "HEAD").read_bytes()
    except OSError:
        return None
    target = content.removeprefix(_SYMBOLIC).strip()
    is_branch = content.startswith(_SYMBOLIC) and target.startswith(b"refs/heads/")
    return target if is_branch and is_valid_ref(target.decode("utf-8", "replace")) else None


def _ref(repo: Repository, name: bytes, sha: str) -> Ref:
    if not is_valid_ref(name.decode("utf-8", "surrogateescape")):
        raise ValueError
    target = _peel(repo, sha)
    return Ref(name, sha.encode(), target.encode() if target != sha else None)


def _peel(repo: Repository, sha: str) -> str:
    """What tags lead to in the end. Only tags are read: a tag may name a file of any size."""
    for _ in range(_DEEPEST):
        kind, _ = repo.odb.odb.read_header(sha)
        if kind != ObjectType.TAG:
            return sha
        tag = repo.find_object(sha)
        if not isinstance(tag, pygit2.Tag):
            break  # too large to be read here
        sha = str(tag.target)
    raise KeyError(sha)
