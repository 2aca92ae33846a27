"""Adding objects to projects."""

import secrets
from collections.abc import Collection

from sqlalchemy import Connection, func, insert, select, update

from ingot.features.code.lfs_objects.queries import find_objects
from ingot.features.code.lfs_objects.tables import lfs_objects
from ingot.features.spaces.projects import change_size
from ingot.kit.clock import now


def object_key(oid: str) -> str:
    """Where a new object is stored: never where another one is, so that each can go without the other."""
    return f"lfs/{oid[:2]}/{oid[2:4]}/{oid}-{secrets.token_hex(8)}"


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


def move_objects(tx: Connection, source_id: int, project_id: int) -> None:
    """Give the project all objects of another that it takes the place of."""
    table = lfs_objects
    present = select(table.c.oid).where(table.c.project_id == project_id)
    moved = (table.c.project_id == source_id) & table.c.oid.not_in(present)
    size = tx.execute(select(func.coalesce(func.sum(table.c.size), 0)).where(moved)).scalar_one()
    tx.execute(update(table).where(moved).values(project_id=project_id))
    change_size(tx, project_id, "lfs_objects_size", int(size))
