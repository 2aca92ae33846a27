"""How often archives are downloaded, whichever of their two addresses is used."""

from sqlalchemy import Connection

from ingot.access.rows import ProjectRow
from ingot.instance import application_setting
from ingot.instance.throttling import limit_use, user_name
from ingot.kit.services import Services


def limit_downloads(services: Services, conn: Connection, user_id: int, project: ProjectRow) -> None:
    """Per user and namespace."""
    limit = int(application_setting(conn, "project_download_export_limit") or 0)
    limit_use(services, user_name(user_id), "project_download_export", limit, scope=str(project.namespace_id))
