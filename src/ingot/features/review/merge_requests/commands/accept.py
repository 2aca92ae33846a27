"""Accepting a request: the order of refusals, and whether to merge now or when the checks pass."""

from sqlalchemy import Connection, update

from ingot.features.review.merge_requests import mergeability, queries, states
from ingot.features.review.merge_requests.checks import head_pipeline_statuses
from ingot.features.review.merge_requests.commands import check
from ingot.features.review.merge_requests.commands.after_merge import after_merge
from ingot.features.review.merge_requests.commands.locked_files import LOCKED, TOO_LARGE, find_excess, find_locked
from ingot.features.review.merge_requests.commands.merge import merge
from ingot.features.review.merge_requests.errors import BranchCannotBeMerged, NotMergeable, ShaMismatch
from ingot.features.review.merge_requests.merge_options import MergeOptions
from ingot.features.review.merge_requests.rows import MergeRequestRow, MergeRequestWithProject
from ingot.features.review.merge_requests.tables import merge_requests
from ingot.gitstore.repository import sharing_handles
from ingot.kit.actor import Actor
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now
from ingot.kit.services import Services


def accept(
    services: Services, conn: Connection, row: MergeRequestWithProject, actor: Actor, options: MergeOptions
) -> None:
    """Merge now or set auto-merge; raises 405, 422 or 409 in the documented order."""
    with sharing_handles():
        _accept(services, conn, row, actor, options)


def _accept(
    services: Services, conn: Connection, row: MergeRequestWithProject, actor: Actor, options: MergeOptions
) -> None:
    row = check.check(services, conn, row)
    if options.squash and not row.squash and row.state == states.OPENED:
        row = _store(services, conn, row, squash=True)
    failing = mergeability.failures(conn, [row], paid=services.settings.has_tier("premium"))[row.id]
    now_or_later = _decide(conn, row, failing, options)
    git_failure = next((name for name in failing if name in mergeability.GIT), None)
    if git_failure is not None:
        raise BranchCannotBeMerged(git_failure)
    if options.sha is not None and options.sha != row.head_sha:
        raise ShaMismatch(row.head_sha)
    locked = find_locked(services, conn, row)
    if locked is not None:
        raise NotMergeable(LOCKED, locked)
    if (excess := find_excess(conn, row)) is not None:
        raise NotMergeable(TOO_LARGE, excess)
    if now_or_later == "later":
        set_auto_merge(services, row, actor, options)
        return
    soft = [name for name in failing if name not in mergeability.GIT]
    if soft:  # auto-merge with a finished pipeline takes the immediate path and fails there
        raise BranchCannotBeMerged(soft[0])
    row = _store(services, conn, row, should_remove_source_branch=options.should_remove_source_branch)
    created = merge(services, row, actor.id, options)
    after_merge(services, row, actor, created)


def _decide(conn: Connection, row: MergeRequestRow, failing: list[str], options: MergeOptions) -> str:
    """`now` or `later`, or 405 where neither is possible."""
    soft = [name for name in failing if name not in mergeability.GIT]
    if not options.auto_merge:
        if soft:
            raise NotMergeable(soft[0])
        return "now"
    pipeline = head_pipeline_statuses(conn, [row]).get(row.id)
    if pipeline == "success":
        return "now"
    hard = next((name for name in failing if name in mergeability.HARD), None)
    if hard is not None:
        raise NotMergeable(hard)
    if not failing and pipeline not in mergeability.IN_PROGRESS:
        raise NotMergeable("auto_merge", "Auto-merge is not needed: no pipeline is running and all checks pass.")
    return "later"


def _store(
    services: Services, conn: Connection, row: MergeRequestWithProject, **values: object
) -> MergeRequestWithProject:
    if all(getattr(row, name) == value for name, value in values.items()):
        return row
    with services.db.write() as tx:
        tx.execute(update(merge_requests).where(merge_requests.c.id == row.id).values(values))
    return queries.get_by_id(conn, row.id)


def set_auto_merge(services: Services, row: MergeRequestRow, actor: Actor, options: MergeOptions) -> None:
    """Set auto-merge for this user, bound to the current head."""
    with services.db.write() as tx:
        tx.execute(
            update(merge_requests)
            .where(merge_requests.c.id == row.id, merge_requests.c.state == states.OPENED)
            .values(
                auto_merge=True,
                auto_merge_user_id=actor.id,
                auto_merge_options=options.stored(row.head_sha),
                should_remove_source_branch=options.should_remove_source_branch,
                updated_at=now(),
            )
        )
        report_change(tx, Change("auto_merge", "set", row.id, project_id=row.project_id, user_id=actor.id))
