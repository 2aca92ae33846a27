"""Reading which objects a project has."""

from collections.abc import Collection, Sequence

from sqlalchemy import Connection, select

from ingot.features.code.lfs_objects.rows import LfsObjectRow
from ingot.features.code.lfs_objects.tables import lfs_objects

AT_ONCE = 500


def find_objects(conn: Connection, project_id: int, oids: Collection[str]) -> dict[str, LfsObjectRow]:
    """Those of these objects that the project has. Knowing a name opens nothing: only the project's own count."""
    query = select(lfs_objects).where(lfs_objects.c.project_id == project_id, lfs_objects.c.oid.in_(oids))
    return {row.oid: row for row in conn.execute(query)}


def has_any(conn: Connection, project_id: int) -> bool:
    """The project has objects at all."""
    query = select(lfs_objects.c.id).where(lfs_objects.c.project_id == project_id).limit(1)
    return conn.execute(query).first() is not None


def has_objects(conn: Connection, project_id: int, oids: Sequence[str]) -> bool:
    """The project has every one of these objects."""
    parts = (oids[start : start + AT_ONCE] for start in range(0, len(oids), AT_ONCE))
    return all(find_objects(conn, project_id, part).keys() >= set(part) for part in parts)
