"""Reading push mirrors."""

from typing import Any

from sqlalchemy import Connection, Select, bindparam, select

from ingot.features.code.remote_mirrors.rows import MirrorRow
from ingot.features.code.remote_mirrors.tables import remote_mirrors
from ingot.kit.errors import RecordNotFound

_ENABLED = select(remote_mirrors.c.id).where(
    remote_mirrors.c.project_id == bindparam("of_project"), remote_mirrors.c.enabled
)


def listed(project_id: int) -> Select[Any]:
    """The mirrors of a project, oldest first."""
    return select(remote_mirrors).where(remote_mirrors.c.project_id == project_id).order_by(remote_mirrors.c.id)


def get(conn: Connection, project_id: int, mirror_id: int) -> MirrorRow:
    """One mirror of a project."""
    row = conn.execute(listed(project_id).where(remote_mirrors.c.id == mirror_id)).one_or_none()
    if row is None:
        raise RecordNotFound
    return row


def enabled_mirrors(conn: Connection, project_id: int) -> list[int]:
    """The ids of mirrors that follow changes."""
    return list(conn.execute(_ENABLED, {"of_project": project_id}).scalars())
