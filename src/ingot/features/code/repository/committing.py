"""Changes that endpoints make in a repository: as the caller, announced like a push."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

from msgspec.structs import replace
from sqlalchemy import bindparam, select

from ingot.access.call import Call
from ingot.events import ZERO_SHA, Pushed, RefChange
from ingot.features.code.lfs_locks import refuse_locked_paths
from ingot.features.code.lfs_objects import store_content
from ingot.features.code.pushing import Note, announce_push, moving, noting, remove_push_note
from ingot.features.code.repository.opening import offers_large_files
from ingot.features.spaces.projects import find_size_limit
from ingot.gitstore import GitError, Person, Repository, refs
from ingot.gitstore.commit import CommitOptions, CreatedCommit, create_commit
from ingot.gitstore.errors import CommandFailed, CommitRefused, InvalidRefName, RefChanged, RefConflict
from ingot.gitstore.pointers import write_pointer
from ingot.identity.tables import users
from ingot.kit.errors import ApiError, Failure
from ingot.kit.spool import Spool

T = TypeVar("T")
_COMMIT_EMAIL = select(users.c.commit_email).where(users.c.id == bindparam("user_id"))


def caller(call: Call) -> Person:
    """The caller as author or committer, with the account's commit e-mail address."""
    address = call.conn.execute(_COMMIT_EMAIL, {"user_id": call.actor.id}).scalar_one_or_none()
    return Person.now(call.actor.name or call.actor.username, address or call.actor.email)


def commit(call: Call, repository: Repository, options: CommitOptions) -> CreatedCommit:
    """Create the commit, move the branch, announce the push. A refusal is 400 with its message."""
    _refuse_locked(call, options)
    _refuse_above_limit(call)
    with_lfs = replace(options, store_large=partial(_store_large, call)) if offers_large_files(call) else options
    with noting(call.services, call.project.id, call.actor.user_id, partial(refs.find_ref, repository)) as noting_push:
        created = refusing(lambda: create_commit(repository, with_lfs, noting_push.about_to_move))
    announce_change(call, noting_push.note, RefChange(created.ref, created.old, created.sha))
    return created


def _store_large(call: Call, content: bytes | Spool) -> bytes:
    """Put a file into Git LFS that `.gitattributes` put there, as a client would before its push."""
    return write_pointer(*store_content(call.services, call.project.id, content))


def _refuse_locked(call: Call, options: CommitOptions) -> None:
    """Paths that somebody else locked in Git LFS are refused as in a push."""
    if not offers_large_files(call):
        return
    named = (path for action in options.actions for path in (action.file_path, action.previous_path) if path)
    paths = [path.strip("/") for path in named]
    reason = refuse_locked_paths(call.conn, call.project.id, call.actor.user_id, paths)
    if reason is not None:
        raise Failure(400, reason)


def _refuse_above_limit(call: Call) -> None:
    """A repository that is too large already takes no more commits."""
    limit = find_size_limit(call.conn, call.project.id)
    if limit is not None and limit.is_exceeded:
        raise Failure(400, limit.refuse_commit())


@contextmanager
def noted(call: Call, repository: Repository, names: Mapping[str, str | None]) -> Iterator[Note]:
    """Note that refs of these full names move inside, to these values (None: unknown).

    `announce_change` takes the note.
    """
    before = {name: refs.find_ref(repository, name) or ZERO_SHA for name in names}
    after = {name: new for name, new in names.items() if new is not None}
    find = partial(refs.find_ref, repository)
    with moving(call.services, call.project.id, call.actor.user_id, before, after, find) as note:
        yield note


def announce_change(call: Call, note: Note | None, *changes: RefChange) -> None:
    """Refs moved by this call."""
    if changes:
        announce_push(call.services, Pushed(call.project.id, call.actor.user_id, tuple(changes)), note)
    else:
        with call.write() as tx:
            remove_push_note(tx, note)


def refusing(work: Callable[[], T]) -> T:
    """Run git work; refusals answer 400, faults of the machine keep their own status."""
    try:
        return work()
    except (CommitRefused, InvalidRefName) as refused:
        raise Failure(400, refused.message) from refused
    except RefChanged as raced:
        raise Failure(400, "Could not update the branch. It was changed in the meantime. Please try again.") from raced
    except RefConflict as conflict:
        raise Failure(400, "A branch or tag with a conflicting name exists.") from conflict
    except GitError as error:
        if isinstance(error, CommandFailed) or getattr(error, "status", None) is not None:
            raise
        raise api_error(error) from error


def api_error(error: GitError) -> ApiError:
    """Any other refusal of git, as 400."""
    return Failure(400, error.message)
