"""Fetching with a deploy token: there is no user, and the token gives access to its project or group."""

from sqlalchemy import Connection, select

from ingot.access.levels import Feature
from ingot.access.subjects import Project, find_project
from ingot.access.tables import projects
from ingot.access.visibility import is_let_in
from ingot.features.code.git_http.credentials import basic
from ingot.features.code.git_http.refusals import NO_DOWNLOAD, NO_UPLOAD, forbidden
from ingot.features.spaces.deploy_tokens import DeployTokenRow, find_reader, opens_project
from ingot.kit.actor import Actor

ANYWHERE = Actor(is_admin=True)  # finds every project; what the token opens is looked up afterwards


def find_token(conn: Connection, authorization: str) -> DeployTokenRow | None:
    """The deploy token of an `Authorization` header, if it is one."""
    given = basic(authorization)
    return None if given is None else find_reader(conn, *given)


def find_project_of(conn: Connection, actor: Actor, token: DeployTokenRow, path: str) -> Project | None:
    """The project at this path if the token opens it, and the caller's address is let in."""
    project = find_project(conn, ANYWHERE, path) if "/" in path else None
    if project is None or not opens_project(conn, token, project.row):
        return None
    let_in = select(projects.c.id).where(projects.c.id == project.id, *is_let_in(actor, projects.c.namespace_id))
    return None if conn.execute(let_in).first() is None else project


def require_fetch(project: Project, *, pushes: bool) -> None:
    """Deploy tokens never push, and read nothing where the repository is switched off."""
    if pushes:
        raise forbidden(NO_UPLOAD)
    if project.feature("repository") is Feature.DISABLED:
        raise forbidden(NO_DOWNLOAD)
