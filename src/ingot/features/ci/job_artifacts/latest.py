"""The job of a download by ref: in the latest successful pipeline of the ref, parent before child."""

from collections.abc import Sequence

from sqlalchemy import Connection, exists, select

from ingot.features.ci.engine import ci_jobs, pipelines
from ingot.features.ci.job_artifacts.rows import JobOfRefRow
from ingot.features.ci.job_outputs import DOWNLOADABLE, job_artifacts

# spec: pipelines of these sources never stand for their ref
_DANGLING = (
    "webide", "parent_pipeline", "ondemand_dast_scan", "ondemand_dast_validation", "security_orchestration_policy",
)  # fmt: skip
_LOOK_BACK = 100


def find_job_by_ref(
    conn: Connection, project_id: int, ref: str, name: str, *, search_recent: bool = False
) -> JobOfRefRow | None:
    """The job, or None. Only the newest successful pipeline counts, unless older ones are asked for too."""
    result = _successful(conn, project_id, ref)
    for pipeline_id in result if search_recent else result[:1]:
        job = _job_in(conn, project_id, pipeline_id, name)
        if job is not None:
            return job
    return None


def has_pipelines(conn: Connection, project_id: int, ref: str) -> bool:
    """The ref ever had a pipeline."""
    query = select(pipelines.c.id).where(pipelines.c.project_id == project_id, pipelines.c.ref == ref).limit(1)
    return conn.execute(query).first() is not None


def _successful(conn: Connection, project_id: int, ref: str) -> Sequence[int]:
    """By creation, newest first, among the last hundred of the ref; when they ran does not matter."""
    recent = (
        select(pipelines.c.id, pipelines.c.status)
        .where(pipelines.c.project_id == project_id, pipelines.c.ref == ref, pipelines.c.source.not_in(_DANGLING))
        .order_by(pipelines.c.id.desc())
        .limit(_LOOK_BACK)
        .subquery()
    )
    return (
        conn.execute(select(recent.c.id).where(recent.c.status == "success").order_by(recent.c.id.desc()))
        .scalars()
        .all()
    )


def _job_in(conn: Connection, project_id: int, pipeline_id: int, name: str) -> JobOfRefRow | None:
    tree = select(pipelines.c.id).where(pipelines.c.id == pipeline_id).cte("tree", recursive=True)
    tree = tree.union_all(
        select(pipelines.c.id)
        .join(tree, pipelines.c.parent_id == tree.c.id)
        .where(pipelines.c.project_id == project_id, pipelines.c.source == "parent_pipeline")
    )
    downloadable = exists().where(job_artifacts.c.job_id == ci_jobs.c.id, job_artifacts.c.file_type.in_(DOWNLOADABLE))
    return conn.execute(
        select(ci_jobs.c.id, ci_jobs.c.name, ci_jobs.c.pipeline_id)
        .join(tree, tree.c.id == ci_jobs.c.pipeline_id)
        .where(ci_jobs.c.name == name, ci_jobs.c.kind == "build", ci_jobs.c.is_retried.is_(False), downloadable)
        .order_by(ci_jobs.c.pipeline_id, ci_jobs.c.id)
        .limit(1)
    ).one_or_none()
