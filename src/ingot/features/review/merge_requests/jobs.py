"""Background work of merge requests: rebases, repairs after a crash, and `merge_after`."""

from sqlalchemy import select

from ingot.features.review.merge_requests import queries, states
from ingot.features.review.merge_requests.commands import auto_merge, check
from ingot.features.review.merge_requests.commands.merge import repair
from ingot.features.review.merge_requests.commands.rebase import run_rebase
from ingot.features.review.merge_requests.tables import merge_requests
from ingot.identity.authentication import actor_of_user
from ingot.identity.tables import users
from ingot.kit.clock import now
from ingot.kit.jobs import Run, job, periodic


@job("merge_request_rebase")
def rebase(run: Run, merge_request_id: int, user_id: int) -> None:
    """Rebase the source branch."""
    with run.db.read() as conn:
        user = conn.execute(select(users).where(users.c.id == user_id)).one_or_none()
    if user is not None:
        run.step("rebase", lambda: run_rebase(run.services, merge_request_id, actor_of_user(user)))


@job("merge_request_check")
def check_requests(run: Run, merge_request_ids: list[int]) -> None:
    """Check requests that a list showed as unchecked."""
    with run.db.read() as conn:
        for merge_request_id in merge_request_ids:
            run.check()
            row = queries.find_by_id(conn, merge_request_id)
            if row is not None:
                check.check(run.services, conn, row)


@periodic("merge_request_repair", every=60.0)
def repair_locked(run: Run) -> None:
    """Requests left `locked` by a crash, also those that nobody reads."""
    with run.db.read() as conn:
        query = select(merge_requests.c.id).where(merge_requests.c.state == states.LOCKED).limit(500)
        for merge_request_id in list(conn.execute(query).scalars()):
            row = queries.find_by_id(conn, merge_request_id)
            if row is not None:
                repair(run.services, conn, row)


@periodic("merge_request_auto_merge", every=60.0)
def wake_waiting(run: Run) -> None:
    """Requests whose `merge_after` has passed, and requests whose wake-up was lost."""
    with run.db.read() as conn:
        query = select(merge_requests.c.id).where(
            merge_requests.c.auto_merge,
            merge_requests.c.state == states.OPENED,
            (merge_requests.c.merge_after.is_(None)) | (merge_requests.c.merge_after <= now()),
        )
        waiting = list(conn.execute(query.order_by(merge_requests.c.id).limit(500)).scalars())
    for merge_request_id in waiting:
        run.check()
        auto_merge.try_waiting(run.services, merge_request_id)
