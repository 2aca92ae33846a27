"""Reading which objects a project has."""

from collections.abc import Collection

from sqlalchemy import Connection, select

from ingot.features.code.lfs.rows import LfsObjectRow
from ingot.features.code.lfs.tables import lfs_objects


def find_objects(conn: Connection, project_id: int, oids: Collection[str]) -> dict[str, LfsObjectRow]:
    """Those of these objects that the project has. Knowing a name opens nothing: only the project's own count."""
    query = select(lfs_objects).where(lfs_objects.c.project_id == project_id, lfs_objects.c.oid.in_(oids))
    return {row.oid: row for row in conn.execute(query)}
