"""Merging now. The planned merge is stored first, then the ref moves, then the row is updated.

The ref decides: a crash in between leaves the request `locked` with the commit it was about to bring in, and
`repair` looks at the target branch and finishes or undoes it.
"""

from contextlib import suppress
from typing import Any

from msgspec.structs import replace
from sqlalchemy import Connection, bindparam, select, update

from ingot.features.code.push_rules import RuleBroken, require_obedience
from ingot.features.code.pushing import Note, note_push, remove_merge_note
from ingot.features.review.merge_requests import queries, states
from ingot.features.review.merge_requests.commands import check
from ingot.features.review.merge_requests.commands.merge_commits import (
    CONFLICT,
    UPDATED,
    MergedCommits,
    MergeFailed,
    make_commits,
)
from ingot.features.review.merge_requests.commands.update import record_state
from ingot.features.review.merge_requests.errors import BranchCannotBeMerged
from ingot.features.review.merge_requests.merge_options import MergeOptions
from ingot.features.review.merge_requests.rows import MergeRequestRow, MergeRequestWithProject
from ingot.features.review.merge_requests.tables import merge_requests
from ingot.gitstore import GitError, Repository, objects, refs
from ingot.gitstore.errors import LockTimeout, PassingFault, RefChanged
from ingot.gitstore.names import branch_ref
from ingot.gitstore.refs import RefUpdate
from ingot.kit.clock import now
from ingot.kit.services import Services

TRIES = 5


def merge(services: Services, row: MergeRequestWithProject, user_id: int, options: MergeOptions) -> MergedCommits:
    """Merge an open, checked request, or store why not and raise 422."""
    repository = check.target_repository(services, row)
    try:
        with repository.lock():
            return _merge_locked(services, repository, row, user_id, options)
    except RuleBroken as broken:
        _store_error(services, row.id, broken.text)
        raise
    except MergeFailed as failure:
        sentence = str(failure)
    except LockTimeout:
        sentence = "An error occurred while merging"
    except PassingFault:  # nothing is wrong with the request
        raise
    except GitError as error:
        sentence = error.message
    _store_error(services, row.id, sentence)
    raise BranchCannotBeMerged("merge_failed", sentence)


def _merge_locked(
    services: Services, repository: Repository, row: MergeRequestWithProject, user_id: int, options: MergeOptions
) -> MergedCommits:
    is_ours = False  # a request that a crash left locked is for `repair` to judge
    try:
        for _ in range(TRIES):
            created = make_commits(services, repository, row, user_id, options)
            moves = {branch_ref(row.target_branch): created.new_target}
            require_obedience(services, row.project_id, user_id, moves)
            note = _lock(services, row, user_id, created, again=is_ours)
            is_ours = True
            with suppress(RefChanged):  # pushed meanwhile: check again
                refs.update(
                    repository, [RefUpdate(branch_ref(row.target_branch), created.new_target, created.old_target)]
                )
                with services.db.write() as tx:
                    finish(tx, row, user_id)
                return replace(created, note=note)
        raise MergeFailed(UPDATED)
    except (MergeFailed, RuleBroken, GitError):
        if is_ours:
            _unlock(services, row.id)
        raise


_LOCK = (
    update(merge_requests)
    .where(
        merge_requests.c.id == bindparam("request_id"),
        merge_requests.c.state == bindparam("expected"),
        # Approvals were counted for this head and target, and for no other.
        merge_requests.c.head_sha == bindparam("checked_head"),
        merge_requests.c.target_branch == bindparam("checked_target"),
    )
    .values(state=states.LOCKED)
)


def _lock(services: Services, row: MergeRequestRow, user_id: int, created: MergedCommits, *, again: bool) -> Note:
    """Store the planned merge and lock the request; only an open one can be locked."""
    with services.db.write() as tx:
        values = {
            "request_id": row.id,
            "expected": states.LOCKED if again else states.OPENED,
            "checked_head": row.head_sha,
            "checked_target": row.target_branch,
            "locked_at": now(),
            "in_progress_merge_sha": created.new_target,
            "merge_commit_sha": created.merge_commit,
            "squash_commit_sha": created.squash_commit,
            "merged_by_id": user_id,
        }
        taken = tx.execute(_LOCK, values)
        if taken.rowcount == 0:
            raise MergeFailed(CONFLICT)
        if again:
            remove_merge_note(tx, row.id)
        target = branch_ref(row.target_branch)
        before, after = {target: created.old_target}, {target: created.new_target}
        return note_push(tx, row.project_id, user_id, before, after, merge_request_id=row.id)


_other = merge_requests.alias()
_EARLIER = select(_other.c.id).where(
    _other.c.project_id == bindparam("in_project"),
    _other.c.author_id == bindparam("by_author"),
    _other.c.state == states.MERGED,
    _other.c.id != bindparam("request_id"),
)
_FINISH = (
    update(merge_requests)
    .where(merge_requests.c.id == bindparam("request_id"))
    .values(
        state=states.MERGED,
        merge_status=states.CAN_BE_MERGED,
        merge_error=None,
        in_progress_merge_sha=None,
        locked_at=None,
        closed_at=None,
        closed_by_id=None,
        first_contribution=~_EARLIER.exists(),
    )
)


def finish(tx: Connection, row: MergeRequestRow, user_id: int | None, *, merge_commit_sha: str | None = None) -> None:
    """The target has the commits: mark the request as merged."""
    moment = now()
    values: dict[str, Any] = {"request_id": row.id, "in_project": row.project_id, "by_author": row.author_id}
    values |= {"merged_at": moment, "merged_by_id": user_id, "updated_at": moment}
    if merge_commit_sha is not None:
        values["merge_commit_sha"] = merge_commit_sha
    tx.execute(_FINISH, values)
    record_state(tx, row, user_id, "merged")


NOT_MERGED: dict[str, Any] = {
    "state": states.OPENED,
    "locked_at": None,
    "in_progress_merge_sha": None,
    "merge_commit_sha": None,
    "squash_commit_sha": None,
    "merged_by_id": None,
}


def _unlock(services: Services, merge_request_id: int) -> None:
    """Unlock the request."""
    with services.db.write() as tx:
        here = (merge_requests.c.id == merge_request_id) & (merge_requests.c.state == states.LOCKED)
        tx.execute(update(merge_requests).where(here).values(NOT_MERGED))
        remove_merge_note(tx, merge_request_id)


def _store_error(services: Services, merge_request_id: int, sentence: str) -> None:
    """Store why it was not merged."""
    with services.db.write() as tx:
        here = (merge_requests.c.id == merge_request_id) & (merge_requests.c.state == states.OPENED)
        tx.execute(update(merge_requests).where(here).values(merge_error=sentence))


def repair(services: Services, conn: Connection, row: MergeRequestWithProject) -> MergeRequestWithProject:
    """A request left `locked` by a crash: merged where the target has the commit, otherwise open again."""
    if row.state != states.LOCKED:
        return row
    repository = check.target_repository(services, row)
    try:
        with repository.lock(seconds=0.05):  # a running merge holds the lock
            fresh = queries.find_by_id(conn, row.id)
            if fresh is None or fresh.state != states.LOCKED:
                return fresh or row
            target = refs.find_branch(repository, fresh.target_branch)
            merge_sha = fresh.in_progress_merge_sha
            arrived = (
                target is not None
                and merge_sha is not None
                and repository.find_object(merge_sha) is not None
                and objects.is_ancestor(repository, merge_sha, target)
            )
            with services.db.write() as tx:
                if arrived:
                    finish(tx, fresh, fresh.merged_by_id)
                else:
                    tx.execute(update(merge_requests).where(merge_requests.c.id == row.id).values(NOT_MERGED))
    except LockTimeout:
        return row
    return queries.get_by_id(conn, row.id)
