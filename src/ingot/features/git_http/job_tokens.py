"""What a job's token reaches by git: its own project, public ones, and those that list the job's project."""

from sqlalchemy import Connection, or_, select

from ingot.access.levels import Visibility
from ingot.access.subjects import Project
from ingot.access.tables import namespace_ancestors, projects
from ingot.features.pipelines.tables import job_token_allowed_groups, job_token_allowed_projects
from ingot.features.projects import project_settings
from ingot.kit.actor import Actor


def may_fetch(conn: Connection, actor: Actor, project: Project) -> bool:
    """The job may read the project's code."""
    if actor.job_project_id == project.id or project.visibility == Visibility.PUBLIC:
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
    return conn.execute(select(projects.c.id).where(or_(named.exists(), above.exists())).limit(1)).first() is not None


def may_push(actor: Actor, project: Project) -> bool:
    """The job may push: only to its own project, and only where that was switched on."""
    return actor.job_project_id == project.id and project_settings(project).ci_push_repository_for_job_token_allowed
