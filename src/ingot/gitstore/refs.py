"""Branches, tags and other references: reading, and changing them by compare-and-swap."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
import pygit2
from pygit2.enums import ObjectType, ReferenceType

from ingot.gitstore import revisions
from ingot.gitstore.commit_objects import check_message, write_object
from ingot.gitstore.errors import (
    CommandFailed,
    GitError,
    RefChanged,
    RefConflict,
    RefExists,
    RefNotFound,
    RevisionNotFound,
    StorageAway,
)
from ingot.gitstore.model import ZERO_ID, Person
from ingot.gitstore.names import BRANCHES, branch_ref, checked_ref, is_sha, is_valid_ref, tag_ref
from ingot.gitstore.repository import Repository
from ingot.gitstore.signatures import person_line
from ingot.gitstore.stale_locks import free_stale_locks

_CONFIG = {"core.filesRefLockTimeout": "10000", "core.packedRefsTimeout": "10000"}


class RefUpdate(msgspec.Struct, frozen=True):
    """`new` None deletes. `old` is the value it must have now: an id, ZERO_ID for "must not exist", None for any."""

    ref: str
    new: str | None
    old: str | None = None


def update(repo: Repository, updates: Iterable[RefUpdate]) -> None:
    """All of the updates or none. RefChanged when an `old` value does not hold any more."""
    updates = list(updates)
    if updates:
        with repo.writing():
            _update(repo, updates)


def _update(repo: Repository, updates: list[RefUpdate]) -> None:
    if len(updates) == 1 and _swapped(repo, updates[0]):
        return
    script = b"".join(_instruction(item) for item in updates)
    free_stale_locks(repo, [item.ref for item in updates])
    try:
        repo.git("update-ref", "--no-deref", "--stdin", "-z", stdin=b"start\0" + script + b"commit\0", config=_CONFIG)
    except CommandFailed as failure:
        raise _update_error(failure) from failure


def _swapped(repo: Repository, item: RefUpdate) -> bool:
    """Move an existing ref to an existing commit without a process. False: leave it to git, which also reports errors.

    libgit2 takes git's own lock file and compares with the value that was looked up here while it holds it.
    """
    if item.new is None or item.old is None or ZERO_ID in (item.new, item.old) or not is_valid_ref(item.ref):
        return False
    if not isinstance(repo.find_object(item.new), pygit2.Commit):
        return False
    try:
        result = repo.odb.lookup_reference(item.ref)
        if result.type != ReferenceType.DIRECT:
            return False
        if str(result.target) != item.old:
            raise RefChanged
        result.set_target(item.new)
    except (KeyError, ValueError, OSError, pygit2.GitError):
        return False
    return True


def _instruction(item: RefUpdate) -> bytes:
    ref = checked_ref(item.ref)
    new, old = item.new or ZERO_ID, item.old or ""
    if not is_sha(new) or (old and not is_sha(old)):
        raise RevisionNotFound(new if not is_sha(new) else old)
    if new == ZERO_ID:
        return b"delete %s\0%s\0" % (ref.encode(), b"" if old == ZERO_ID else old.encode())
    return b"update %s\0%s\0%s\0" % (ref.encode(), new.encode(), old.encode())


def _update_error(failure: CommandFailed) -> GitError:
    stderr = failure.stderr
    if "exists; cannot create" in stderr or "there is a non-empty directory" in stderr or "at the same time" in stderr:
        return RefConflict()
    if "nonexistent object" in stderr or "is not a valid object" in stderr or "missing object" in stderr:
        return RevisionNotFound(next((word for word in stderr.split() if is_sha(word)), "?"))
    if "but expected" in stderr or "already exists" in stderr or "unable to resolve reference" in stderr:
        return RefChanged()
    if "File exists" in stderr:
        return RefChanged("The reference is being changed by another user.")
    return failure


def find_ref(repo: Repository, ref: str) -> str | None:
    """Id that a full ref name points to (a tag object's own id for annotated tags)."""
    if not is_valid_ref(ref):
        return None
    try:
        return str(repo.odb.lookup_reference(ref).resolve().target)
    except OSError as error:
        raise StorageAway from error
    except (KeyError, ValueError, pygit2.GitError):
        return None


def find_branch(repo: Repository, name: str) -> str | None:
    """Head commit id of a branch, None when there is no such branch."""
    return find_ref(repo, BRANCHES + name)


def create_branch(repo: Repository, name: str, revision: str) -> str:
    """Returns the new branch's head. InvalidRefName, RevisionNotFound, RefExists, RefConflict."""
    ref = branch_ref(name)
    head = revisions.resolve(repo, revision)
    _create(repo, ref, head)
    return head


def delete_branch(repo: Repository, name: str, expected: str | None = None) -> None:
    _delete(repo, branch_ref(name), expected)


def create_tag(
    repo: Repository, name: str, revision: str, *, message: str | None = None, tagger: Person | None = None
) -> str:
    """A light tag, or an annotated one when there is a message (then `tagger` is needed). Returns its target id."""
    ref = tag_ref(name)
    target = revisions.resolve(repo, revision)
    if find_ref(repo, ref) is not None:
        raise RefExists
    if message:
        if tagger is None:
            raise GitError("An annotated tag needs a tagger.")
        check_message(message.encode("utf-8", "replace"))
        body = f"object {target}\ntype commit\ntag {name}\ntagger {person_line(tagger)}\n\n{message}\n"
        target = write_object(repo, ObjectType.TAG, body.encode("utf-8", "replace"))
    _create(repo, ref, target)
    return target


def delete_tag(repo: Repository, name: str, expected: str | None = None) -> None:
    _delete(repo, tag_ref(name), expected)


def _create(repo: Repository, ref: str, target: str) -> None:
    if find_ref(repo, ref) is not None:
        raise RefExists
    try:
        update(repo, [RefUpdate(ref, target, ZERO_ID)])
    except RefChanged as raced:
        raise RefExists from raced


def _delete(repo: Repository, ref: str, expected: str | None) -> None:
    if find_ref(repo, ref) is None:
        raise RefNotFound
    update(repo, [RefUpdate(ref, None, expected)])
