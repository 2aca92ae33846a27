"""Ends jobs that never finish: over their timeout, silent, or stuck in the queue."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, Row, and_, or_, select

from ingot.features.ci.engine.commands import moving
from ingot.features.ci.engine.commands.finish import finish_job
from ingot.features.ci.engine.commands.play import start_delayed
from ingot.features.ci.engine.tables import ci_jobs
from ingot.kit.clock import now
from ingot.kit.services import Services

# A runner reports at least every half minute; after an hour of silence it counts as lost.
SILENCE = timedelta(hours=1)
GRACE = timedelta(minutes=5)  # time for the runner to end the job itself after its timeout
QUEUE = timedelta(days=1)
STALE_SCHEDULE = timedelta(hours=1)
_BATCH = 100
_Job = Row[Any, Any, Any, Any]  # id, status, timeout, started_at


def sweep(services: Services) -> int:
    """End the jobs that are overdue; returns how many were changed."""
    touched = 0
    for job, reason in _lost(services):
        with services.db.write() as tx:
            current = moving.get_job(tx, job.id)
            if current.status == job.status:
                finish_job(tx, services, job.id, "failed", failure_reason=reason)
                touched += 1
    for job in _overdue_delays(services):
        with services.db.write() as tx:
            start_delayed(tx, services, job.id)
        touched += 1
    return touched


def _lost(services: Services) -> list[tuple[_Job, str]]:
    moment = now()
    silent = and_(
        ci_jobs.c.status.in_(("running", "canceling")),
        ci_jobs.c.kind == "build",
        ci_jobs.c.contacted_at < moment - SILENCE,
    )
    queued = and_(ci_jobs.c.status == "pending", ci_jobs.c.kind == "build", ci_jobs.c.queued_at < moment - QUEUE)
    stale = and_(ci_jobs.c.status == "scheduled", ci_jobs.c.scheduled_at < moment - STALE_SCHEDULE)
    result: list[tuple[_Job, str]] = [(row, "job_execution_timeout") for row in _over_time(services)]
    known = {row.id for row, _ in result}
    for condition, reason in (
        (or_(silent, queued), "stuck_or_timeout_failure"),
        (stale, "stale_schedule"),
    ):
        result += [(row, reason) for row in _rows(services, condition) if row.id not in known]
    return result


def _over_time(services: Services) -> list[_Job]:
    moment = now()
    executing = and_(ci_jobs.c.status.in_(("running", "canceling")), ci_jobs.c.kind == "build")
    shortest = moment - GRACE
    return [
        row
        for row in _rows(services, and_(executing, ci_jobs.c.started_at < shortest), limit=10_000)
        if row.timeout is not None and row.started_at + timedelta(seconds=row.timeout) + GRACE < moment
    ]


def _overdue_delays(services: Services) -> Sequence[_Job]:
    """Delayed jobs whose wake-up was lost."""
    moment = now()
    late = moment - timedelta(minutes=1)
    condition = and_(
        ci_jobs.c.status == "scheduled",
        ci_jobs.c.scheduled_at < late,
        ci_jobs.c.scheduled_at >= moment - STALE_SCHEDULE,
    )
    return _rows(services, condition)


def _rows(services: Services, condition: ColumnElement[bool], limit: int = _BATCH) -> Sequence[_Job]:
    query = (
        select(ci_jobs.c.id, ci_jobs.c.status, ci_jobs.c.timeout, ci_jobs.c.started_at)
        .where(condition)
        .order_by(ci_jobs.c.id)
    )
    with services.db.read() as conn:
        return conn.execute(query.limit(limit)).all()
