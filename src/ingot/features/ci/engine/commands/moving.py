"""Changing a job's status, and what depends on it: times, environment, resource group, bridge."""

from datetime import timedelta

from sqlalchemy import Connection, bindparam, select, update

from ingot.features.ci.config import PlannedJob
from ingot.features.ci.engine.commands import deploying, resources
from ingot.features.ci.engine.job_queue import notify_job_queued
from ingot.features.ci.engine.plans import read_plan
from ingot.features.ci.engine.protected_deployments import awaits_approval, why_refused
from ingot.features.ci.engine.rows import JobRow, PipelineRow
from ingot.features.ci.engine.states import COMPLETED
from ingot.features.ci.engine.tables import ci_jobs, pipelines
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now
from ingot.kit.db import after_commit
from ingot.kit.jobs import enqueue

# Everything but the large columns that only single jobs need.
JOB_COLUMNS = (
    *(column for column in ci_jobs.c if column.name not in ("own_variables", "dotenv", "plan")),
    ci_jobs.c.plan.is_(None).label("is_archived"),  # external, or its configuration is lost: it cannot run
)


_LOCK = select(pipelines).where(pipelines.c.id == bindparam("pipeline")).with_for_update(key_share=True)


def lock_pipeline(tx: Connection, pipeline_id: int) -> PipelineRow:
    """The pipeline\'s row, held until the end of the transaction: its jobs move one after another."""
    return tx.execute(_LOCK, {"pipeline": pipeline_id}).one()


_JOB = select(*JOB_COLUMNS).where(ci_jobs.c.id == bindparam("job"))


def get_job(conn: Connection, job_id: int) -> JobRow:
    """A job\'s row without the large columns."""
    return conn.execute(_JOB, {"job": job_id}).one()


def exists(conn: Connection, job_id: int) -> bool:
    """The job is still there."""
    return conn.execute(select(ci_jobs.c.id).where(ci_jobs.c.id == job_id)).first() is not None


def get_plan(conn: Connection, job_id: int) -> PlannedJob | None:
    """The configuration of a job; external statuses have none."""
    return read_plan(conn.execute(select(ci_jobs.c.plan).where(ci_jobs.c.id == job_id)).scalar_one())


_STORE = update(ci_jobs).where(ci_jobs.c.id == bindparam("job"))


def move(tx: Connection, job: JobRow, status: str, **values: object) -> None:
    """Write the status; the caller has locked the pipeline and advances it afterwards."""
    moment = now()
    values |= {"status": status, "updated_at": moment}
    if status == "pending":
        values.setdefault("queued_at", moment)
        after_commit(tx, notify_job_queued)
    elif status == "running":
        values.setdefault("started_at", moment)
        values.setdefault("contacted_at", moment)
    elif status in COMPLETED:
        values.setdefault("finished_at", moment)
    tx.execute(_STORE, {"job": job.id, **values})
    report_job(tx, job.kind, job.id, status, job.project_id)
    if job.has_environment:
        deploying.follow(tx, job, status)
    if job.resource_group_id is not None and status in COMPLETED:
        resources.release(tx, job.resource_group_id)


def report_job(tx: Connection, kind: str, job_id: int, status: str, project_id: int) -> None:
    """Report that a build is new or has moved; bridges and statuses of another CI are not reported."""
    if kind == "build":
        report_change(tx, Change("job", status, job_id, project_id=project_id))


def start(tx: Connection, job: JobRow, *, user_id: int | None = None, **values: object) -> str:
    """Offer the job to runners, or make it wait for its resource; bridges start their pipeline.

    `user_id`: who starts it now, where that is not who it belongs to already. A job whose environment is protected from
    them, or cannot be created, fails; one whose deployment has to be approved waits to be started by hand.
    """
    if user_id is not None:
        values["user_id"] = user_id
    if job.has_environment:
        if (reason := why_refused(tx, job, job.user_id if user_id is None else user_id)) is not None:
            move(tx, job, "failed", failure_reason=reason, **values)
            return "failed"
        if awaits_approval(tx, job):
            move(tx, job, "manual", **values)
            return "manual"
    if job.resource_group_id is not None and not resources.acquire(tx, job):
        move(tx, job, "waiting_for_resource", **values)
        return "waiting_for_resource"
    move(tx, job, "pending", **values)
    if job.kind == "bridge":
        enqueue(tx, "pipelines.start_bridge", args={"job_id": job.id}, key=f"start-bridge-{job.id}")
    return "pending"


def delay(tx: Connection, job: JobRow) -> None:
    """Make a delayed job wait for its start time."""
    plan = get_plan(tx, job.id)
    at = now() + timedelta(seconds=(plan.start_in if plan is not None else None) or 0)
    move(tx, job, "scheduled", scheduled_at=at)
    enqueue(tx, "pipelines.start_delayed", args={"job_id": job.id}, key=f"start-delayed-{job.id}", run_after=at)
