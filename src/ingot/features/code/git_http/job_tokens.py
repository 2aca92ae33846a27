"""Git access with a job token: fetching as the token scope allows, pushing only to its own project."""

from sqlalchemy import Connection

from ingot.access.levels import Visibility
from ingot.access.subjects import Project
from ingot.features.code.git_http.refusals import forbidden
from ingot.features.code.job_token_scope import JobTokenRefused, require_reachable
from ingot.features.spaces.projects import project_settings
from ingot.kit.actor import Actor


def require_fetch(conn: Connection, actor: Actor, project: Project) -> None:
    """Refuse a job whose project is not listed; public code is everybody's."""
    if project.visibility == Visibility.PUBLIC:
        return
    try:
        require_reachable(conn, actor, project)
    except JobTokenRefused as refused:
        raise forbidden(refused.text) from None


def may_push(actor: Actor, project: Project) -> bool:
    """The job may push: only to its own project, and only where that was switched on."""
    return actor.job_project_id == project.id and project_settings(project).ci_push_repository_for_job_token_allowed
