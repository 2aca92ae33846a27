"""Converts rows to the facts behind the CI_* variables."""

from sqlalchemy import Connection, bindparam, select

from ingot.access.levels import Visibility
from ingot.access.rows import ProjectRow
from ingot.features.ci.variables import ProjectFacts, ServerFacts, UserFacts
from ingot.features.instance.metadata import COMPATIBLE_VERSION
from ingot.features.spaces.projects import project_settings
from ingot.identity.tables import users
from ingot.kit.services import Services

DEFAULT_CONFIG_PATH = ".gitlab-ci.yml"


def base_url(services: Services) -> str:
    """The instance's address where no request provides it."""
    return services.settings.public_url


def server_facts(url: str) -> ServerFacts:
    """The server itself."""
    return ServerFacts(url=url, version=COMPATIBLE_VERSION)


def project_facts(project: ProjectRow, url: str) -> ProjectFacts:
    """A loaded project or its row."""
    return ProjectFacts(
        id=project.id,
        path=project.path,
        full_path=project.full_path,
        title=project.name,
        namespace_id=project.namespace_id,
        url=f"{url}/{project.full_path}",
        visibility=Visibility(project.visibility).word,
        default_branch=project.default_branch,
        config_path=project_settings(project).ci_config_path or DEFAULT_CONFIG_PATH,
        description=project.description or "",
    )


_USER = select(users.c.id, users.c.username, users.c.name, users.c.email).where(users.c.id == bindparam("user_id"))


def user_facts(conn: Connection, user_id: int | None) -> UserFacts | None:
    """The user for whom a pipeline or job runs."""
    if user_id is None:
        return None
    row = conn.execute(_USER, {"user_id": user_id}).one_or_none()
    return None if row is None else UserFacts(id=row.id, username=row.username, name=row.name, email=row.email)
