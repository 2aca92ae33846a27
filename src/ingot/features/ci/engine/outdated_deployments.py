"""Outdated deployments: a job must not replace a newer deployment of its environment.

The creation times of the jobs decide which one is newer, not when they ran: a retry of an old job is new, and that is
how people roll back, unless the project forbids it.
"""

from typing import Any

from sqlalchemy import Connection, Row, func, select

from ingot.access.tables import projects
from ingot.features.ci.deployments import deployments, environments
from ingot.features.ci.engine.plans import read_plan
from ingot.features.ci.engine.rows import JobRow
from ingot.features.ci.engine.states import COMPLETED
from ingot.features.ci.engine.tables import ci_jobs, pipelines
from ingot.features.spaces.projects import project_settings

OUTDATED = "failed_outdated_deployment_job"


def is_outdated(conn: Connection, job: JobRow) -> bool:
    """The job would deploy something older than its environment has, and the project forbids that."""
    if not job.has_environment:
        return False
    row = conn.execute(
        select(ci_jobs.c.plan, pipelines.c.sha, projects.c.settings)
        .join_from(ci_jobs, pipelines, pipelines.c.id == ci_jobs.c.pipeline_id)
        .join(projects, projects.c.id == ci_jobs.c.project_id)
        .where(ci_jobs.c.id == job.id)
    ).one()
    plan, settings = read_plan(row.plan), project_settings(row)
    if plan is None or plan.environment is None or plan.environment.action != "start":
        return False
    if not settings.ci_forward_deployment_enabled:
        return False
    if settings.ci_forward_deployment_rollback_allowed and job.status in COMPLETED:
        return False
    last = _last_deployed(conn, job.project_id, plan.environment.name[:255])
    return last is not None and last.job_id != job.id and last.sha != row.sha and last.started_at > job.created_at


def _last_deployed(conn: Connection, project_id: int, name: str) -> Row[Any, Any, Any] | None:
    started_at = func.coalesce(ci_jobs.c.created_at, deployments.c.created_at).label("started_at")
    return conn.execute(
        select(deployments.c.job_id, deployments.c.sha, started_at)
        .join_from(deployments, environments, environments.c.id == deployments.c.environment_id)
        .outerjoin(ci_jobs, ci_jobs.c.id == deployments.c.job_id)
        .where(
            environments.c.project_id == project_id,
            environments.c.name == name,
            deployments.c.status == "success",
        )
        .order_by(started_at.desc(), deployments.c.id.desc())
        .limit(1)
    ).one_or_none()
