"""Removing outputs of jobs: a job's log and artifacts, or a pipeline with everything in it."""

from sqlalchemy import ColumnElement, Connection, delete, exists, or_, select, update

from ingot.features.ci.engine import COMPLETED, JobRow, ci_jobs, pipelines, unpin_later
from ingot.features.ci.job_outputs import traces
from ingot.features.ci.job_outputs.tables import job_artifacts, job_traces
from ingot.features.ci.job_outputs.test_results import forget_reports
from ingot.features.spaces.projects import change_size
from ingot.kit.clock import now
from ingot.kit.entity import group_by
from ingot.kit.jobs import enqueue

_KEYS_PER_JOB = 500


def is_erasable(conn: Connection, job: JobRow) -> bool:
    """It has ended and has a log or artifacts."""
    if job.status not in COMPLETED or job.erased_at is not None:
        return False
    left = select(
        or_(
            exists().where(job_artifacts.c.job_id == job.id),
            exists().where(job_traces.c.job_id == job.id),
        )
    )
    return bool(conn.execute(left).scalar_one())


def erase_job(tx: Connection, job: JobRow, user_id: int) -> None:
    """Remove log and artifacts; the job remembers who did it and when."""
    keys = remove_artifacts(tx, job_artifacts.c.job_id == job.id)
    trace = traces.erase_trace(tx, job.id)
    forget_reports(tx, job.id)
    moment = now()
    tx.execute(
        update(ci_jobs)
        .where(ci_jobs.c.id == job.id)
        .values(erased_at=moment, erased_by_id=user_id, artifacts_expire_at=None, dotenv=None, updated_at=moment)
    )
    delete_objects(tx, [*keys, *([trace] if trace is not None else [])])


def remove_artifacts(tx: Connection, condition: ColumnElement[bool]) -> list[str]:
    """Delete artifact rows; returns the keys of the objects that nobody needs any more."""
    # Locked, so that the same rows are read and deleted.
    rows = tx.execute(select(job_artifacts).where(condition).with_for_update()).all()
    ids = [row.id for row in rows]
    for start in range(0, len(ids), _KEYS_PER_JOB):
        tx.execute(delete(job_artifacts).where(job_artifacts.c.id.in_(ids[start : start + _KEYS_PER_JOB])))
    for project_id, removed in group_by(rows, lambda row: row.project_id).items():
        change_size(tx, project_id, "job_artifacts_size", -sum(row.size for row in removed))
    return [key for row in rows for key in (row.blob_key, row.index_key) if key is not None]


def delete_objects(tx: Connection, keys: list[str]) -> None:
    """Delete objects once the rows are gone for good."""
    for start in range(0, len(keys), _KEYS_PER_JOB):
        enqueue(tx, "pipelines.delete_objects", args={"keys": keys[start : start + _KEYS_PER_JOB]})


def delete_pipeline(tx: Connection, pipeline_id: int) -> None:
    """Delete a pipeline with its jobs, logs and artifacts."""
    keys = remove_artifacts(tx, job_artifacts.c.pipeline_id == pipeline_id)
    logs = (
        select(job_traces.c.blob_key)
        .join_from(job_traces, ci_jobs, ci_jobs.c.id == job_traces.c.job_id)
        .where(ci_jobs.c.pipeline_id == pipeline_id, job_traces.c.blob_key.is_not(None))
    )
    keys += list(tx.execute(logs).scalars())
    gone = delete(pipelines).where(pipelines.c.id == pipeline_id).returning(pipelines.c.project_id)
    for project_id in tx.execute(gone).scalars().all():
        unpin_later(tx, project_id, pipeline_id)
    delete_objects(tx, keys)
