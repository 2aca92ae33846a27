"""Cancelling: one job, a pipeline with the children below it, and pipelines that newer commits made redundant."""

from sqlalchemy import Connection, select

from ingot.features.ci.engine.commands import moving, progress
from ingot.features.ci.engine.commands.finish import cancel_one
from ingot.features.ci.engine.rows import JobRow, PipelineRow
from ingot.features.ci.engine.states import ALIVE, CANCELABLE, COMPLETED
from ingot.features.ci.engine.tables import ci_jobs, pipelines
from ingot.kit.jobs import enqueue
from ingot.kit.services import Services


def cancel_job(tx: Connection, services: Services, job: JobRow, *, force: bool = False) -> None:
    """Cancel one job; one that has ended stays as it is."""
    moving.lock_pipeline(tx, job.pipeline_id)
    cancel_one(tx, moving.get_job(tx, job.id), force=force)
    progress.advance(tx, services, job.pipeline_id)


def cancel_pipeline(tx: Connection, services: Services, pipeline_id: int, *, only_interruptible: bool = False) -> None:
    """Cancel every job that has not ended, and by background work the child pipelines."""
    moving.lock_pipeline(tx, pipeline_id)
    alive = select(*moving.JOB_COLUMNS).where(
        ci_jobs.c.pipeline_id == pipeline_id, ci_jobs.c.is_retried.is_(False), ci_jobs.c.status.in_(CANCELABLE)
    )
    if only_interruptible:
        alive = alive.where(ci_jobs.c.interruptible.is_(True))
    for job in tx.execute(alive.order_by(ci_jobs.c.stage_index.desc(), ci_jobs.c.id)).all():
        cancel_one(tx, job)
    progress.advance(tx, services, pipeline_id)
    below = select(pipelines.c.id).where(
        pipelines.c.parent_id == pipeline_id,
        pipelines.c.source == "parent_pipeline",
        pipelines.c.status.not_in(COMPLETED),
    )
    for child_id in tx.execute(below).scalars():
        enqueue(tx, "pipelines.cancel", args={"pipeline_id": child_id}, key=f"cancel-pipeline-{child_id}")


def redundant_pipelines(conn: Connection, pipeline: PipelineRow) -> list[tuple[int, bool]]:
    """Older unfinished pipelines superseded by a new commit: id, and whether only interruptible jobs are cancelled."""
    rows = conn.execute(
        select(pipelines.c.id, pipelines.c.auto_cancel_on_new_commit).where(
            pipelines.c.project_id == pipeline.project_id,
            pipelines.c.ref == pipeline.ref,
            pipelines.c.is_tag.is_(False),
            pipelines.c.id < pipeline.id,
            pipelines.c.sha != pipeline.sha,
            pipelines.c.source.not_in(("parent_pipeline", "schedule", "external")),
            pipelines.c.status.in_(ALIVE),
        )
    ).all()
    result = []
    for row in rows:
        if row.auto_cancel_on_new_commit == "interruptible":
            result.append((row.id, True))
        elif row.auto_cancel_on_new_commit == "conservative" and not _is_uninterruptible(conn, row.id):
            result.append((row.id, False))
    return result


def _is_uninterruptible(conn: Connection, pipeline_id: int) -> bool:
    """An uninterruptible job has started: the pipeline runs to its end."""
    started = select(ci_jobs.c.id).where(
        ci_jobs.c.pipeline_id == pipeline_id,
        ci_jobs.c.interruptible.is_(False),
        ci_jobs.c.kind == "build",
        ci_jobs.c.started_at.is_not(None),
    )
    return conn.execute(started.limit(1)).first() is not None
