"""Background work of runners: archives logs of ended jobs, and removes old machines."""

from datetime import timedelta

from sqlalchemy import delete, select

from ingot.features.ci.engine import COMPLETED, ci_jobs
from ingot.features.ci.job_outputs import archive_trace, job_traces
from ingot.features.ci.runners.tables import runner_managers
from ingot.kit.clock import now
from ingot.kit.jobs import Run, job, periodic

_LATE = timedelta(minutes=5)
_STALE_MANAGER = timedelta(days=7)
_BATCH = 500


@job("runners.archive_log")
def archive_log(run: Run, job_id: int, project_id: int) -> None:
    """Move the log of an ended job into one object."""
    archive_trace(run.services, job_id, project_id)


@periodic("runners.archive_logs", every=5 * 60)
def archive_logs(run: Run) -> None:
    """The same for jobs that ended without their runner: cancelled, timed out or abandoned."""
    query = (
        select(ci_jobs.c.id, ci_jobs.c.project_id)
        .join_from(job_traces, ci_jobs, ci_jobs.c.id == job_traces.c.job_id)
        .where(job_traces.c.blob_key.is_(None), ci_jobs.c.status.in_(COMPLETED), ci_jobs.c.finished_at < now() - _LATE)
        .limit(_BATCH)
    )
    with run.db.read() as conn:
        rows = conn.execute(query).all()
    for row in rows:
        run.check()
        archive_trace(run.services, row.id, row.project_id)


@periodic("runners.forget_machines", every=24 * 3600)
def forget_machines(run: Run) -> None:
    """Delete machines that have not been seen for a week."""
    with run.db.write() as tx:
        tx.execute(delete(runner_managers).where(runner_managers.c.contacted_at < now() - _STALE_MANAGER))
