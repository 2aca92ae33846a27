"""Fork networks: projects whose histories may be compared and combined."""

from sqlalchemy import Connection, select

from ingot.access.tables import projects
from ingot.features.code.repository.rows import ForkRow

DEPTH = 50


def are_related(conn: Connection, one: ForkRow, other: ForkRow) -> bool:
    """The two projects are in the same fork network."""
    return _root(conn, one) == _root(conn, other)


def _root(conn: Connection, project: ForkRow) -> int:
    number, above = int(project.id), project.forked_from_id
    for _ in range(DEPTH):
        if above is None:
            break
        row = conn.execute(select(projects.c.id, projects.c.forked_from_id).where(projects.c.id == above)).one_or_none()
        if row is None:
            break
        number, above = int(row.id), row.forked_from_id
    return number
