"""Finding the statuses of a commit, and the pipeline that a status belongs to."""

from typing import Any

from sqlalchemy import Connection, Select, func, select

from ingot.features.ci.commit_statuses.params import ListStatuses
from ingot.features.ci.commit_statuses.rows import CommitStatusRow
from ingot.features.ci.engine import JOB_COLUMNS, JobRow, PipelineRow, ci_jobs, pipelines
from ingot.features.instance.plan_limits import limit_of


def _with_sha() -> Select[Any]:
    return select(*JOB_COLUMNS, pipelines.c.sha).join_from(ci_jobs, pipelines, pipelines.c.id == ci_jobs.c.pipeline_id)


def statuses_of(project_id: int, sha: str, options: ListStatuses) -> Select[Any]:
    """The statuses of a commit: own jobs and those of other CI systems."""
    query = _with_sha().where(ci_jobs.c.project_id == project_id, pipelines.c.sha == sha)
    if not options.all:
        query = query.where(ci_jobs.c.is_retried.is_(False))
    for name in ("ref", "stage", "name", "pipeline_id"):
        value = getattr(options, name)
        if value is not None:
            query = query.where(ci_jobs.c[name] == value)
    order = [ci_jobs.c.id] if options.order_by == "id" else [ci_jobs.c.pipeline_id, ci_jobs.c.id]
    return query.order_by(*(column.asc() if options.sort == "asc" else column.desc() for column in order))


def get_status(conn: Connection, status_id: int) -> CommitStatusRow:
    """One status with the sha of its pipeline."""
    return conn.execute(_with_sha().where(ci_jobs.c.id == status_id)).one()


def find_pipeline(
    conn: Connection, project_id: int, sha: str, ref: str | None, pipeline_id: int | None
) -> PipelineRow | None:
    """The newest pipeline of the commit (and ref, and id), or None."""
    query = select(pipelines).where(
        pipelines.c.project_id == project_id, pipelines.c.sha == sha, pipelines.c.source != "parent_pipeline"
    )
    if ref is not None:
        query = query.where(pipelines.c.ref == ref)
    if pipeline_id is not None:
        query = query.where(pipelines.c.id == pipeline_id)
    return conn.execute(query.order_by(pipelines.c.id.desc()).limit(1)).one_or_none()


def is_full(conn: Connection, pipeline_id: int) -> bool:
    """The pipeline has as many jobs as the plan allows."""
    limit = limit_of(conn, "ci_pipeline_size")
    if limit <= 0:
        return False
    counted = select(func.count()).where(ci_jobs.c.pipeline_id == pipeline_id, ci_jobs.c.is_retried.is_(False))
    return int(conn.execute(counted).scalar_one()) >= limit


def find_open(conn: Connection, pipeline_id: int, name: str, ref: str, user_id: int) -> JobRow | None:
    """The status of this name that the same person has not ended yet, or None."""
    return conn.execute(
        select(*JOB_COLUMNS)
        .where(
            ci_jobs.c.pipeline_id == pipeline_id,
            ci_jobs.c.kind == "external",
            ci_jobs.c.name == name,
            ci_jobs.c.ref == ref,
            ci_jobs.c.user_id == user_id,
            ci_jobs.c.status.in_(("pending", "running")),
            ci_jobs.c.is_retried.is_(False),
        )
        .order_by(ci_jobs.c.id.desc())
        .limit(1)
    ).one_or_none()
