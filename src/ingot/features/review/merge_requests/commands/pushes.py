"""Effects of a push on open requests: new heads, manual merges, closing, rechecks."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, case, update

from ingot.events import MergeRequestChanged, RefChange
from ingot.features.code.pushing import current_note
from ingot.features.planning.issuables import with_draft
from ingot.features.review.merge_requests import queries, states
from ingot.features.review.merge_requests.commands import auto_merge, check
from ingot.features.review.merge_requests.commands.merge import finish
from ingot.features.review.merge_requests.commands.update import NO_AUTO_MERGE, close
from ingot.features.review.merge_requests.merge_options import stored_options
from ingot.features.review.merge_requests.mergeability import settings_of
from ingot.features.review.merge_requests.rows import MergeRequestRow, MergeRequestWithProject
from ingot.features.review.merge_requests.tables import merge_requests
from ingot.gitstore import GitError, Repository, log, objects, storages_of
from ingot.gitstore.log import LogQuery
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now
from ingot.kit.events import announce
from ingot.kit.services import Services

MOST_ARRIVALS = 100_000
DRAFT_COMMITS = ("draft:", "fixup!", "squash!")


def branch_changed(services: Services, project_id: int, user_id: int | None, change: RefChange) -> None:
    """A branch was moved, created or deleted."""
    branch = change.branch
    if branch is None:
        return
    with services.db.read() as conn:
        is_target = queries.has_into(conn, project_id, branch)
        from_here = queries.opened_from(conn, project_id, branch)
    if is_target:
        _target_changed(services, project_id, branch, user_id, change)
    for row in from_here:
        if change.is_deletion:
            _source_gone(services, row, user_id)
        else:
            _source_moved(services, row, user_id, change)


def _store(services: Services, row: MergeRequestRow, values: Mapping[str, object]) -> None:
    with services.db.write() as tx:
        tx.execute(
            update(merge_requests)
            .where(merge_requests.c.id == row.id, merge_requests.c.state == states.OPENED)
            .values(values)
        )


def _source_gone(services: Services, row: MergeRequestRow, user_id: int | None) -> None:
    with services.db.write() as tx:
        close(tx, row, user_id)
        tx.execute(update(merge_requests).where(merge_requests.c.id == row.id).values(source_branch_exists=False))
    announce(services, MergeRequestChanged(row.id, row.project_id, "closed", user_id))


def _source_moved(services: Services, row: MergeRequestRow, user_id: int | None, change: RefChange) -> None:
    if row.head_sha == change.new and row.prepared_at is not None:
        note = current_note()
        if note is not None and note.is_repeated:
            # The process that moved the head may have died before announcing it.
            _report_push(services, row, user_id, change)
        return
    values: dict[str, Any] = {
        "merge_error": None,
        "rebase_in_progress": False,
        "merge_status": states.invalidated(row.merge_status),
        "updated_at": now(),
    }
    if row.auto_merge and stored_options(row).sha != change.new:
        values |= NO_AUTO_MERGE
    _store(services, row, values)
    with services.db.read() as conn:
        fresh = check.check(services, conn, queries.get_by_id(conn, row.id))
        if not fresh.is_draft and _brings_draft(services, fresh, change):
            _store(services, fresh, {"title": with_draft(fresh.title)[:255], "is_draft": True})
    _report_push(services, row, user_id, change)


def _report_push(services: Services, row: MergeRequestRow, user_id: int | None, change: RefChange) -> None:
    """The request has its new head now."""
    details = {} if change.is_creation else {"oldrev": change.old}
    with services.db.write() as tx:
        updated = Change("merge_request", "update", row.id, project_id=row.project_id, user_id=user_id, details=details)
        report_change(tx, updated)
    announce(services, MergeRequestChanged(row.id, row.project_id, "pushed", user_id))


def _brings_draft(services: Services, row: MergeRequestWithProject, change: RefChange) -> bool:
    """A commit with a draft title makes the request a draft."""
    repository = check.target_repository(services, row)
    excluded = [] if change.is_creation or repository.find_object(change.old) is None else [change.old]
    try:
        query = LogQuery(
            include=[change.new], exclude=[*excluded, *([row.base_sha] if row.base_sha else [])], limit=100
        )
        commits = log.commits(repository, query)
    except GitError:
        return False
    return any(commit.title.lower().startswith(DRAFT_COMMITS) for commit in commits)


# Invalidates the result of the last check; rows that were merged meanwhile are not open and stay.
_CHECK_AGAIN = (
    update(merge_requests)
    .where(queries.ARE_INTO, merge_requests.c.merge_status.in_(states.INVALIDATED))
    .values(merge_status=case(states.INVALIDATED, value=merge_requests.c.merge_status))
)
_TARGET_GONE = (
    update(merge_requests)
    .where(queries.ARE_INTO)
    .values(target_branch_exists=False, merge_status=states.CANNOT_BE_MERGED)
)


def _target_changed(services: Services, project_id: int, branch: str, user_id: int | None, change: RefChange) -> None:
    """Requests into a moved branch: some were merged manually, the others are checked again when read."""
    place = {"in_project": project_id, "branch": branch}
    if change.is_deletion:
        with services.db.write() as tx:
            tx.execute(_TARGET_GONE, place)
        return
    with services.db.read() as conn:
        arrived = _arrived(services, conn, project_id, change)
        touched = queries.touched_by(conn, project_id, branch, arrived)
    for row in touched:
        if row.head_sha in arrived and row.commits_count > 0:
            _merged_by_hand(services, row.id, user_id, change)
    with services.db.write() as tx:
        tx.execute(_CHECK_AGAIN, place)
    for row in touched:
        if row.auto_merge:
            _target_moved_under_auto_merge(services, row.id)


def _arrived(services: Services, conn: Connection, project_id: int, change: RefChange) -> set[str]:
    """The commits that the push brought into the branch."""
    storage = queries.storage_of(conn, project_id)
    if storage is None:
        return set()
    repository = storages_of(services).repository(storage, project_id)
    old = None if change.is_creation or repository.find_object(change.old) is None else change.old
    try:
        if old is not None and objects.ahead_behind(repository, change.new, old)[0] <= check.FEW_COMMITS:
            return {commit.id for commit in objects.walk(repository, change.new, old, check.FEW_COMMITS)}
        excluded = [] if old is None else [old]
        return set(log.commit_ids(repository, LogQuery(include=[change.new], exclude=excluded, limit=MOST_ARRIVALS)))
    except GitError:
        return set()


def _target_moved_under_auto_merge(services: Services, merge_request_id: int) -> None:
    with services.db.read() as conn:
        fresh = check.check(services, conn, queries.get_by_id(conn, merge_request_id))
    if fresh.needs_rebase and settings_of(fresh).merge_method in ("ff", "rebase_merge"):
        auto_merge.cancel(services, merge_request_id)


def _merged_by_hand(services: Services, merge_request_id: int, user_id: int | None, change: RefChange) -> None:
    """The target now contains the head: somebody merged it elsewhere and pushed."""
    with services.db.read() as conn:
        row = queries.find_by_id(conn, merge_request_id)
    if row is None or row.state != states.OPENED or row.head_sha is None:
        return
    repository = check.target_repository(services, row)
    try:
        merge_sha = _merge_commit_of(repository, row.head_sha, change)
    except GitError:
        return
    with services.db.write() as tx:
        finish(tx, row, user_id, merge_commit_sha=merge_sha)
    announce(services, MergeRequestChanged(row.id, row.project_id, "merged", user_id))


def _merge_commit_of(repository: Repository, head: str, change: RefChange) -> str:
    """The first-parent commit of the target that merged the head."""
    excluded = [] if change.is_creation else [change.old]
    line = log.commits(repository, LogQuery(include=[change.new], exclude=excluded, first_parent=True, limit=1000))
    for commit in reversed(line):
        if objects.is_ancestor(repository, head, commit.id):
            return str(commit.id)
    return change.new
