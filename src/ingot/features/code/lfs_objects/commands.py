"""Adding objects to projects."""

from collections.abc import Collection

from sqlalchemy import Connection, insert, select

from ingot.features.code.lfs_objects.queries import find_objects
from ingot.features.code.lfs_objects.tables import lfs_objects
from ingot.features.spaces.projects import change_size
from ingot.kit.clock import now


def link(tx: Connection, project_id: int, oid: str, size: int, blob_key: str) -> bool:
    """Give the project an object; False where it has it already."""
    if find_objects(tx, project_id, [oid]):
        return False
    values = {"project_id": project_id, "oid": oid, "size": size, "blob_key": blob_key, "created_at": now()}
    tx.execute(insert(lfs_objects).values(values))
    change_size(tx, project_id, "lfs_objects_size", size)
    return True


def link_from(tx: Connection, source_id: int, project_id: int, oids: Collection[str]) -> None:
    """Give a fork the objects of its source, without a copy of their content."""
    shared = select(lfs_objects).where(lfs_objects.c.project_id == source_id, lfs_objects.c.oid.in_(oids))
    for row in tx.execute(shared).all():
        link(tx, project_id, row.oid, row.size, row.blob_key)
