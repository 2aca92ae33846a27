"""A job ends: its result, automatic retries, and the effect of its failure on others."""

from sqlalchemy import Connection, select, update

from ingot.features.ci.config import PlannedJob
from ingot.features.ci.engine.commands import moving, progress
from ingot.features.ci.engine.commands.retry import clone
from ingot.features.ci.engine.outdated_deployments import OUTDATED, is_outdated
from ingot.features.ci.engine.protected_deployments import NO_ENVIRONMENT, PROTECTED
from ingot.features.ci.engine.rows import JobRow, PipelineRow
from ingot.features.ci.engine.states import CANCELABLE, COMPLETED, moved
from ingot.features.ci.engine.tables import ci_jobs
from ingot.kit.services import Services

# Another attempt would fail the same way, or repeat what was refused.
_NEVER_RETRIED = frozenset(
    (
        "ci_quota_exceeded", "no_matching_runner", "missing_dependency_failure", "forward_deployment_failure",
        NO_ENVIRONMENT, "deployment_rejected", OUTDATED, PROTECTED,
    )
)  # fmt: skip
_EVENTS = {"success": "success", "failed": "drop", "canceled": "cancel"}


def finish_job(
    tx: Connection,
    services: Services,
    job_id: int,
    status: str,
    *,
    failure_reason: str | None = None,
    exit_code: int | None = None,
) -> str:
    """End a job with `success`, `failed` or `canceled` and advance its pipeline; returns the final status.

    A job that was being cancelled ends `canceled` whatever its runner says; one that has ended stays as it is.
    """
    job = moving.get_job(tx, job_id)
    pipeline = moving.lock_pipeline(tx, job.pipeline_id)
    job = moving.get_job(tx, job_id)
    if job.status in COMPLETED:
        return str(job.status)
    if job.status == "canceling":
        status = "canceled"
    moved(job.status, _EVENTS[status])
    values: dict[str, object] = {"exit_code": exit_code}
    reason = failure_reason or "unknown_failure"
    if status == "failed":
        values["failure_reason"] = reason
    plan = moving.get_plan(tx, job_id)
    allowed = job.allow_failure
    if plan is not None and exit_code is not None and plan.allow_failure_exit_codes:
        values["allow_failure"] = allowed = exit_code in plan.allow_failure_exit_codes
    moving.move(tx, job, status, **values)
    if status == "failed":
        again = plan is not None and _retries(plan, job.attempt, reason, exit_code)
        _after_failure(tx, services, pipeline, job, again=again, allowed=allowed)
    progress.advance(tx, services, job.pipeline_id)
    return status


def _after_failure(
    tx: Connection, services: Services, pipeline: PipelineRow, job: JobRow, *, again: bool, allowed: bool
) -> None:
    # A new attempt counts as the newest deployment, so only people may start one.
    if again and not is_outdated(tx, job):
        created = clone(tx, services, job, user_id=job.user_id, attempt=job.attempt + 1)
        moving.start(tx, moving.get_job(tx, created))
        return
    if pipeline.auto_cancel_on_job_failure == "all" and not allowed:
        others = select(*moving.JOB_COLUMNS).where(
            ci_jobs.c.pipeline_id == pipeline.id, ci_jobs.c.is_retried.is_(False), ci_jobs.c.status.in_(CANCELABLE)
        )
        for other in tx.execute(others).all():
            cancel_one(tx, other)


def _retries(plan: PlannedJob, attempt: int, reason: str, exit_code: int | None) -> bool:
    options = plan.retry
    if attempt >= options.max or reason in _NEVER_RETRIED:
        return False
    if options.exit_codes and exit_code in options.exit_codes:
        return True
    return "always" in options.when or reason in options.when


def cancel_one(tx: Connection, job: JobRow, *, force: bool = False) -> None:
    """Cancel a job that has not ended; a running one whose runner can do so gracefully finishes its after_script."""
    if job.status == "running" and job.cancels_gracefully and not force:
        tx.execute(update(ci_jobs).where(ci_jobs.c.id == job.id).values(status="canceling"))
    elif job.status in CANCELABLE or (job.status == "canceling" and force):
        moving.move(tx, job, "canceled")
