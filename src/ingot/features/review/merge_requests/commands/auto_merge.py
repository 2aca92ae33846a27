"""Auto-merge: waiting requests are checked again whenever a condition may have changed."""

import logging

from sqlalchemy import select, update

from ingot.access.subjects import find_project
from ingot.features.code.protected_branches import load as load_protection
from ingot.features.review.merge_requests import mergeability, queries, states
from ingot.features.review.merge_requests.checks import head_pipeline_statuses
from ingot.features.review.merge_requests.commands import check
from ingot.features.review.merge_requests.commands.after_merge import after_merge
from ingot.features.review.merge_requests.commands.locked_files import find_excess, find_locked
from ingot.features.review.merge_requests.commands.merge import merge
from ingot.features.review.merge_requests.commands.update import NO_AUTO_MERGE
from ingot.features.review.merge_requests.errors import BranchCannotBeMerged
from ingot.features.review.merge_requests.merge_options import MergeOptions, stored_options
from ingot.features.review.merge_requests.rows import MergeRequestWithProject
from ingot.features.review.merge_requests.tables import merge_requests
from ingot.gitstore.errors import PassingFault
from ingot.identity.authentication import actor_of_user
from ingot.identity.tables import users
from ingot.kit.actor import Actor
from ingot.kit.clock import now
from ingot.kit.services import Services

log = logging.getLogger("ingot.auto_merge")


def cancel(services: Services, merge_request_id: int) -> bool:
    """Cancel auto-merge; returns whether it was set."""
    with services.db.write() as tx:
        done = tx.execute(
            update(merge_requests)
            .where(
                merge_requests.c.id == merge_request_id,
                merge_requests.c.auto_merge,
                merge_requests.c.state == states.OPENED,
            )
            .values(**NO_AUTO_MERGE, updated_at=now())
        )
    return bool(done.rowcount)


def try_waiting(services: Services, merge_request_id: int) -> bool:
    """Merge a waiting request if all conditions hold; returns whether it was merged."""
    with services.db.read() as conn:
        row = queries.find_by_id(conn, merge_request_id)
        if row is None or not row.auto_merge or row.state != states.OPENED:
            return False
        row = check.check(services, conn, row)
        if row.merge_status in states.NEEDS_CHECK:  # git took too long: the next check may succeed
            return False
        options = stored_options(row)
        user = conn.execute(select(users).where(users.c.id == row.auto_merge_user_id)).one_or_none()
        if user is None or user.state != "active" or options.sha != row.head_sha:
            cancel(services, row.id)
            return False
        if mergeability.failures(conn, [row], paid=services.settings.has_tier("premium"))[row.id]:
            return False
        if head_pipeline_statuses(conn, [row]).get(row.id, "success") != "success":
            return False
        if find_locked(services, conn, row) is not None or find_excess(conn, row) is not None:
            return False
        actor = actor_of_user(user)
        project = find_project(conn, actor, row.project_id)
        if project is None or not load_protection(conn, actor, project).may_merge(row.target_branch):
            return False
    return _merge(services, row, actor, options)


def _merge(services: Services, row: MergeRequestWithProject, actor: Actor, options: MergeOptions) -> bool:
    try:
        created = merge(services, row, actor.id, options)
    except BranchCannotBeMerged as refusal:
        log.info("auto-merge of %s failed: %s", row.id, refusal.detail)
        return False
    except PassingFault as fault:  # it keeps waiting, and the others are still processed
        log.warning("auto-merge of %s: %s", row.id, fault)
        return False
    after_merge(services, row, actor, created)
    return True


def waiting_in(services: Services, project_id: int, head_sha: str) -> list[int]:
    """Open requests of a project that wait for auto-merge at this head."""
    query = select(merge_requests.c.id).where(
        merge_requests.c.project_id == project_id,
        merge_requests.c.auto_merge,
        merge_requests.c.state == states.OPENED,
        merge_requests.c.head_sha == head_sha,
    )
    with services.db.read() as conn:
        return list(conn.execute(query.order_by(merge_requests.c.id)).scalars())
