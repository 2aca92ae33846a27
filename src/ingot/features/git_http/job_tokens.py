"""What a job's token reaches by git: its own project, public ones, and those that list the job's project."""

from sqlalchemy import Connection

from ingot.access.levels import Visibility
from ingot.access.subjects import Project
from ingot.features.job_token_scope import is_reachable
from ingot.features.projects import project_settings
from ingot.kit.actor import Actor


def may_fetch(conn: Connection, actor: Actor, project: Project) -> bool:
    """The job may read the project's code."""
    return project.visibility == Visibility.PUBLIC or is_reachable(conn, actor, project)


def may_push(actor: Actor, project: Project) -> bool:
    """The job may push: only to its own project, and only where that was switched on."""
    return actor.job_project_id == project.id and project_settings(project).ci_push_repository_for_job_token_allowed
