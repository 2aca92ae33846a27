"""Keeping, deleting and expiring artifacts. Logs are never touched here."""

from typing import Any

from sqlalchemy import Connection, select, update

from ingot.features.ci.engine import ci_jobs, pipelines
from ingot.features.ci.job_outputs import delete_objects, forget_reports, job_artifacts, remove_artifacts
from ingot.kit.clock import now
from ingot.kit.jobs import Run

_BATCH = 100


def keep(tx: Connection, job_id: int) -> None:
    """The job's artifacts never expire."""
    tx.execute(update(job_artifacts).where(job_artifacts.c.job_id == job_id).values(expire_at=None))
    tx.execute(update(ci_jobs).where(ci_jobs.c.id == job_id).values(artifacts_expire_at=None, updated_at=now()))


def delete_of_job(tx: Connection, job_id: int) -> None:
    """Everything but the log, at once: locked, kept or expired."""
    keys = remove_artifacts(tx, (job_artifacts.c.job_id == job_id) & (job_artifacts.c.file_type != "trace"))
    forget_reports(tx, job_id)
    delete_objects(tx, keys)


def expire_of_project(tx: Connection, project_id: int) -> None:
    """All that is not locked expires now, kept artifacts included; the cleanup removes it."""
    unlocked = select(pipelines.c.id).where(pipelines.c.project_id == project_id, pipelines.c.is_locked.is_(False))
    tx.execute(
        update(job_artifacts)
        .where(
            job_artifacts.c.project_id == project_id,
            job_artifacts.c.file_type != "trace",
            job_artifacts.c.pipeline_id.in_(unlocked),
        )
        .values(expire_at=now())
    )


def remove_expired(run: Run) -> int:
    """Remove what has expired and is not locked, a hundred at a time; returns how many artifacts went."""
    removed = 0
    while batch := _expired(run):
        run.check()
        with run.db.write() as tx:
            ids = [row.id for row in batch]
            # Somebody may have kept one of them since.
            keys = remove_artifacts(tx, job_artifacts.c.id.in_(ids) & (job_artifacts.c.expire_at <= now()))
            for job_id in {row.job_id for row in batch if row.file_type == "junit"}:
                forget_reports(tx, job_id)
            delete_objects(tx, keys)
        removed += len(batch)
    return removed


def _expired(run: Run) -> list[Any]:
    query = (
        select(job_artifacts.c.id, job_artifacts.c.job_id, job_artifacts.c.file_type)
        .join_from(job_artifacts, pipelines, pipelines.c.id == job_artifacts.c.pipeline_id)
        .where(
            job_artifacts.c.expire_at <= now(), pipelines.c.is_locked.is_(False), job_artifacts.c.file_type != "trace"
        )
        .order_by(job_artifacts.c.expire_at)
        .limit(_BATCH)
    )
    with run.db.read() as conn:
        return list(conn.execute(query))
