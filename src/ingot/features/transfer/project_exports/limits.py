"""How often archives are downloaded, whichever of their two addresses is used."""

from sqlalchemy import Connection

from ingot.access.rows import ProjectRow
from ingot.instance import application_setting
from ingot.instance.throttling import limit_use, user_name
from ingot.kit.services import Services


def limit_downloads(services: Services, conn: Connection, user_id: int, project: ProjectRow, address: str) -> None:
    """Per user and namespace, and of all users of the project or the address together."""
    limit = int(application_setting(conn, "project_download_export_limit") or 0)
    scope = str(project.namespace_id)
    whose, name = user_name(user_id), "project_download_export"
    limit_use(services, whose, name, limit, address=address, scope=scope, project_id=project.id)
