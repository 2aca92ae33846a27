"""Checking git: heads, diff version, conflicts. The result is stored, so that reading never needs git.

The refs decide: a check updates the row to match the repository.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select, update

from ingot.features.code.lfs_objects import link_from_fork
from ingot.features.review.merge_requests import queries, states, versions
from ingot.features.review.merge_requests.rows import MergeRequestRow, MergeRequestWithProject
from ingot.features.review.merge_requests.tables import merge_request_diffs, merge_requests
from ingot.gitstore import GitError, Repository, diff, log, merge, objects, refs, storages_of, transfer
from ingot.gitstore.errors import PassingFault, RepositoryNotFound, TimedOut
from ingot.gitstore.log import LogQuery
from ingot.gitstore.model import EMPTY_TREE_ID, ZERO_ID
from ingot.gitstore.pointers import new_pointers
from ingot.gitstore.refs import RefUpdate
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now
from ingot.kit.faults import storing_if_possible
from ingot.kit.services import Services

CHANGES_LIMIT = 1000
FEW_COMMITS = 200  # read without starting a process


def head_ref(iid: int) -> str:
    """The ref of a request's head in the target repository."""
    return f"refs/merge-requests/{iid}/head"


def merge_ref(iid: int) -> str:
    """The ref of the merge result, for runners and merge_ref."""
    return f"refs/merge-requests/{iid}/merge"


def target_repository(services: Services, row: MergeRequestWithProject) -> Repository:
    """The repository of the target branch."""
    return storages_of(services).repository(row.project_repository_storage, row.project_id)


def source_repository(services: Services, row: MergeRequestWithProject, conn: Connection) -> Repository | None:
    """The repository of the source branch; None if the fork is gone."""
    if row.source_project_id == row.project_id:
        return target_repository(services, row)
    if row.source_project_id is None:
        return None
    storage = queries.storage_of(conn, row.source_project_id)
    result: Repository | None = (
        None if storage is None else storages_of(services).repository(storage, row.source_project_id)
    )
    return result


_STORE = update(merge_requests).where(merge_requests.c.id == bindparam("request_id"))


def check(services: Services, conn: Connection, row: MergeRequestWithProject) -> MergeRequestWithProject:
    """Bring the stored git state of an open request up to date; returns the fresh row."""
    if row.state != states.OPENED or _is_current(services, conn, row):
        return row
    values = _look(services, conn, row)
    if all(getattr(row, name) == value for name, value in values.items()):
        return row
    followers = versions.prepare_change(services, conn, row, values)
    is_new = values["head_sha"] is not None and _is_new_version(row, values)
    patch_id = None
    if is_new and values["commits_count"]:
        patch_id = _patch_id(target_repository(services, row), values["base_sha"], values["head_sha"])
    with services.db.write() as tx:
        _report_opened(tx, row)
        tx.execute(_STORE, {"request_id": row.id, **values})
        for store in followers:
            store(tx)
        if is_new:
            record_version(tx, row.id, values, patch_id)
    return queries.get_by_id(conn, row.id)


def check_to_show(services: Services, conn: Connection, row: MergeRequestWithProject) -> MergeRequestWithProject:
    """As `check`; the row as it is where nothing can be stored because the disk is full."""
    with storing_if_possible():
        return check(services, conn, row)
    return row


_IS_NEW = select(merge_requests.c.id).where(
    merge_requests.c.id == bindparam("request_id"), merge_requests.c.prepared_at.is_(None)
)


def _report_opened(tx: Connection, row: MergeRequestWithProject) -> None:
    """Report a new request after its first check, when its commits are known."""
    if row.prepared_at is not None or row.imported_from != "none":
        return
    if tx.execute(_IS_NEW.with_for_update(), {"request_id": row.id}).first() is not None:
        report_change(tx, Change("merge_request", "open", row.id, project_id=row.project_id, user_id=row.author_id))


def _is_current(services: Services, conn: Connection, row: MergeRequestWithProject) -> bool:
    """Whether nothing has moved since the last check: two ref look-ups, no process."""
    if row.merge_status not in (states.CAN_BE_MERGED, states.CANNOT_BE_MERGED) or row.prepared_at is None:
        return False
    target = target_repository(services, row)
    source = target if row.source_project_id == row.project_id else source_repository(services, row, conn)
    if source is None:
        return False
    try:
        head, goal = refs.find_branch(source, row.source_branch), refs.find_branch(target, row.target_branch)
    except RepositoryNotFound:
        return False
    if head is None or goal is None or not (row.source_branch_exists and row.target_branch_exists):
        return False
    return bool(head == row.head_sha and goal == row.checked_target_sha)


def _is_new_version(row: MergeRequestRow, values: Mapping[str, object]) -> bool:
    return bool(row.head_sha != values["head_sha"] or row.base_sha != values["base_sha"] or row.prepared_at is None)


def _patch_id(target: Repository, base: str | None, head: str) -> str | None:
    try:
        return diff.patch_id(target, base or EMPTY_TREE_ID, head)
    except GitError:  # too long to read; the version is as good without it
        return None


def record_version(tx: Connection, merge_request_id: int, values: Mapping[str, object], patch_id: str | None) -> None:
    """Remember a diff version."""
    tx.execute(
        insert(merge_request_diffs).values(
            merge_request_id=merge_request_id,
            head_sha=values["head_sha"],
            base_sha=values["base_sha"],
            start_sha=values["start_sha"],
            state="collected" if values["commits_count"] else "empty",
            real_size=values["changes_count"] or "0",
            patch_id_sha=patch_id,
            created_at=now(),
        )
    )


def _look(services: Services, conn: Connection, row: MergeRequestWithProject) -> dict[str, Any]:
    target = target_repository(services, row)
    source = source_repository(services, row, conn)
    source_head = refs.find_branch(source, row.source_branch) if source is not None and source.exists() else None
    target_head = refs.find_branch(target, row.target_branch) if target.exists() else None
    values: dict[str, Any] = {
        "source_branch_exists": source_head is not None,
        "target_branch_exists": target_head is not None,
        "head_sha": row.head_sha,
        "base_sha": row.base_sha,
        "start_sha": row.start_sha,
        "commits_count": row.commits_count,
        "changes_count": row.changes_count,
        "needs_rebase": row.needs_rebase,
        "checked_target_sha": target_head,
        "merge_status": states.CANNOT_BE_MERGED,
        "prepared_at": row.prepared_at or now(),
    }
    if source is None or source_head is None or target_head is None:
        return values
    hold_head(target, source, row.iid, source_head)
    source_id = row.source_project_id
    if source_id not in (None, row.project_id) and row.head_sha != source_head:
        link_from_fork(services, source_id, row.project_id, partial(new_pointers, target, source_head))
    values["head_sha"] = source_head
    values.update(_compare(target, target_head, source_head, row))
    values["needs_rebase"] = not objects.is_ancestor(target, target_head, source_head)
    if values["commits_count"]:
        values["merge_status"] = _status_of_merge(target, target_head, source_head, row)
    return values


def _status_of_merge(target: Repository, target_head: str, source_head: str, row: MergeRequestRow) -> str:
    try:
        can_merge = merge.check_merge(target, target_head, source_head).can_merge
    except TimedOut:  # unknown, and checked again on the next read
        return states.invalidated(row.merge_status)
    except PassingFault:  # says nothing about the request, so nothing is stored
        raise
    except GitError:
        can_merge = False
    return states.CAN_BE_MERGED if can_merge else states.CANNOT_BE_MERGED


def _compare(target: Repository, target_head: str, source_head: str, row: MergeRequestRow) -> dict[str, Any]:
    """Base, number of commits and number of changed files; the files are counted again only if they can differ."""
    base = objects.merge_base(target, target_head, source_head)
    commits, _ = objects.ahead_behind(target, source_head, target_head)
    count = row.changes_count
    if count is None or base != row.base_sha or source_head != row.head_sha:
        changed = len(diff.changed_paths(target, base or EMPTY_TREE_ID, source_head)) if commits else 0
        count = f"{CHANGES_LIMIT}+" if changed > CHANGES_LIMIT else str(changed)
    return {"base_sha": base, "start_sha": target_head, "commits_count": commits, "changes_count": count}


def hold_head(target: Repository, source: Repository, iid: int, head: str) -> None:
    """Keep the request's head in the target repository, also after the branch is deleted."""
    ref = head_ref(iid)
    old = refs.find_ref(target, ref)
    if old == head:
        return
    if source.path != target.path:
        transfer.fetch_commit(source, target, head)
    refs.update(target, [RefUpdate(ref, head, old or ZERO_ID)])


def commits_of(services: Services, row: MergeRequestWithProject, limit: int | None = None) -> list[Any]:
    """The request's commits, newest first."""
    if row.head_sha is None:
        return []
    repository = target_repository(services, row)
    if row.base_sha is None:  # unrelated histories
        return log.commits(repository, LogQuery(include=[row.head_sha], limit=limit))
    if row.commits_count <= FEW_COMMITS:
        return objects.walk(repository, row.head_sha, row.base_sha, limit or FEW_COMMITS)
    return log.between(repository, row.base_sha, row.head_sha, limit=limit)
