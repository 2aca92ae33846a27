"""Files by their addresses, for those who may see what they belong to."""

from sqlalchemy import Connection, func, select

from ingot.access.subjects import Subject, find_group, find_moved_project, find_project
from ingot.access.tables import projects
from ingot.features.spaces.projects import project_settings
from ingot.features.transfer.uploads.owners import Owner
from ingot.features.transfer.uploads.policy import link_suffices
from ingot.features.transfer.uploads.queries import find_by_secret
from ingot.features.transfer.uploads.rows import UploadRow
from ingot.kit.actor import Actor


def find_upload(
    conn: Connection, actor: Actor, kind: str, id_or_path: str | int, secret: str, filename: str
) -> UploadRow | None:
    """The file of a project or group; None where there is none, or where it is hidden from the actor."""
    seen: Subject | None
    if kind == "group":
        seen = find_group(conn, actor, id_or_path)
    elif kind == "project":
        seen = find_project(conn, actor, id_or_path) or find_moved_project(conn, actor, str(id_or_path).strip("/"))
    else:
        return None
    if seen is not None:
        return find_by_secret(conn, Owner(kind, seen.id), secret, filename)
    return _open_picture(conn, id_or_path, secret, filename) if kind == "project" else None


def _open_picture(conn: Connection, id_or_path: str | int, secret: str, filename: str) -> UploadRow | None:
    """An image of a hidden project, if the project shows images to everybody with the link."""
    by = (
        projects.c.id == id_or_path
        if isinstance(id_or_path, int)
        else projects.c.full_path_lower == func.lower(id_or_path)
    )
    row = conn.execute(
        select(projects.c.id, projects.c.settings).where(by, projects.c.pending_delete.is_(False))
    ).one_or_none()
    if row is None:
        return None
    result = find_by_secret(conn, Owner("project", row.id), secret, filename)
    return result if result is not None and link_suffices(project_settings(row), result.media_type) else None
