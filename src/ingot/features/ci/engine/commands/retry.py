"""Another attempt at a job: a new row in its place, the old one marked as retried."""

from sqlalchemy import Connection, insert, select, update

from ingot.features.ci.engine.commands import moving, progress
from ingot.features.ci.engine.errors import NotRetryable
from ingot.features.ci.engine.outdated_deployments import is_outdated
from ingot.features.ci.engine.protected_deployments import is_forbidden
from ingot.features.ci.engine.rows import JobRow
from ingot.features.ci.engine.states import RETRYABLE
from ingot.features.ci.engine.tables import ci_jobs, job_tags
from ingot.kit.actor import Actor
from ingot.kit.clock import now
from ingot.kit.services import Services

_COPIED = (
    "kind", "project_id", "pipeline_id", "name", "stage", "stage_index", "ref", "is_tag", "is_protected", "when",
    "allow_failure", "interruptible", "needs", "timeout", "tag_list", "has_environment", "resource_group_id", "plan",
    "own_variables", "target_url", "description",
)  # fmt: skip


def clone(tx: Connection, services: Services, job: JobRow, **values: object) -> int:  # noqa: ARG001 - as the other commands
    """A `created` copy of the job; the old row is marked as retried."""
    whole = tx.execute(select(ci_jobs).where(ci_jobs.c.id == job.id)).one()
    tx.execute(update(ci_jobs).where(ci_jobs.c.id == job.id).values(is_retried=True))
    moment = now()
    copied = {name: getattr(whole, name) for name in _COPIED}
    created = tx.execute(
        insert(ci_jobs)
        .values(**{**copied, "status": "created", "created_at": moment, "updated_at": moment, **values})
        .returning(ci_jobs.c.id)
    ).scalar_one()
    if whole.tag_list and whole.kind == "build":
        tx.execute(insert(job_tags), [{"job_id": created, "tag": tag} for tag in whole.tag_list])
    moving.report_job(tx, whole.kind, int(created), "created", whole.project_id)
    return int(created)


def retry_job(tx: Connection, services: Services, job: JobRow, actor: Actor) -> int:
    """Run a finished job again; skipped jobs after it are reopened. Returns the new job's id."""
    moving.lock_pipeline(tx, job.pipeline_id)
    job = moving.get_job(tx, job.id)
    if not is_retryable(job):
        raise NotRetryable
    created = clone(tx, services, job, user_id=actor.user_id)
    moving.start(tx, moving.get_job(tx, created))
    reopen_skipped(tx, job, actor.user_id)
    progress.advance(tx, services, job.pipeline_id)
    return created


def retry_pipeline(tx: Connection, services: Services, pipeline_id: int, actor: Actor) -> None:
    """Run the failed and canceled jobs again and reopen the skipped ones."""
    moving.lock_pipeline(tx, pipeline_id)
    rows = tx.execute(
        select(*moving.JOB_COLUMNS)
        .where(ci_jobs.c.pipeline_id == pipeline_id, ci_jobs.c.is_retried.is_(False), ci_jobs.c.kind != "external")
        .order_by(ci_jobs.c.id)
    ).all()
    rows = [row for row in rows if not row.is_archived]
    ended = [row for row in rows if row.status in ("failed", "canceled") and not is_outdated(tx, row)]
    again = [row for row in ended if not is_forbidden(tx, row, actor.user_id)]
    for row in again:
        # Created, not started: stages and needs decide their order again.
        clone(tx, services, row, user_id=actor.user_id)
    for row in rows:
        if row.status == "skipped":
            _reopen(tx, row, actor.user_id)
    progress.advance(tx, services, pipeline_id)


def reopen_skipped(tx: Connection, job: JobRow, user_id: int | None) -> None:
    """Reopen the skipped jobs that come after this one, for this user."""
    rows = tx.execute(
        select(*moving.JOB_COLUMNS).where(
            ci_jobs.c.pipeline_id == job.pipeline_id,
            ci_jobs.c.is_retried.is_(False),
            ci_jobs.c.status == "skipped",
            ci_jobs.c.plan.is_not(None),
        )
    ).all()
    behind = {job.name}
    grown = True
    while grown:
        result = {row.name for row in rows if any(need["name"] in behind for need in row.needs or ())}
        grown = not result <= behind
        behind |= result
    for row in rows:
        if row.stage_index > job.stage_index or row.name in behind:
            _reopen(tx, row, user_id)


def _reopen(tx: Connection, job: JobRow, user_id: int | None) -> None:
    """It runs for who has it run again: the rights of who started the pipeline are not theirs."""
    values = {"status": "created", "finished_at": None, "updated_at": now(), "user_id": user_id}
    tx.execute(update(ci_jobs).where(ci_jobs.c.id == job.id).values(**values))


def is_retryable(job: JobRow) -> bool:
    """It has ended, has no newer attempt, and its configuration is known."""
    return job.status in RETRYABLE and not job.is_retried and job.kind != "external" and not job.is_archived
