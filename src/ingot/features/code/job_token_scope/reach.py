"""The inbound allowlist of a project, as one condition."""

from sqlalchemy import Connection, or_, select

from ingot.access.rows import ProjectRow
from ingot.access.tables import namespace_ancestors, projects
from ingot.features.code.job_token_scope.tables import job_token_allowed_groups, job_token_allowed_projects
from ingot.features.spaces.projects import project_settings
from ingot.kit.actor import Actor
from ingot.kit.errors import Forbidden


class JobTokenRefused(Forbidden):
    """The project does not allow the job's project."""

    def __init__(self, source: str, target: str) -> None:
        super().__init__(f"Authentication by CI/CD job token not allowed from {source} to {target}.")


def is_reachable(conn: Connection, actor: Actor, project: ProjectRow) -> bool:
    """The token's own project, one that does not limit access, or one that lists the project or a group above it."""
    if actor.job_project_id == project.id or not project_settings(project).ci_inbound_job_token_scope_enabled:
        return True
    listed, groups = job_token_allowed_projects, job_token_allowed_groups
    above = (
        select(groups.c.project_id)
        .join(namespace_ancestors, namespace_ancestors.c.ancestor_id == groups.c.allowed_id)
        .join(projects, projects.c.namespace_id == namespace_ancestors.c.namespace_id)
        .where(groups.c.project_id == project.id, projects.c.id == actor.job_project_id)
    )
    named = select(listed.c.project_id).where(
        listed.c.project_id == project.id, listed.c.allowed_id == actor.job_project_id
    )
    query = select(projects.c.id).where(projects.c.id == project.id, or_(named.exists(), above.exists()))
    return conn.execute(query).first() is not None


def require_reachable(conn: Connection, actor: Actor, project: ProjectRow) -> None:
    """Refuse a job token whose project is not allowed."""
    if actor.token_kind != "job" or is_reachable(conn, actor, project):
        return
    source = conn.execute(select(projects.c.path).where(projects.c.id == actor.job_project_id)).scalar_one_or_none()
    raise JobTokenRefused(source or "", project.path)
