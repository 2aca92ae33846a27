"""Adding objects to projects."""

import secrets
from collections.abc import Collection

from sqlalchemy import Connection, func, select, update

from ingot.features.code.lfs_objects.rows import LfsObjectRow
from ingot.features.code.lfs_objects.tables import lfs_objects
from ingot.features.spaces.projects import change_size
from ingot.kit.clock import now
from ingot.kit.upsert import upsert


def object_key(oid: str) -> str:
    """Where a new object is stored: never where another one is, so that each can go without the other."""
    return f"lfs/{oid[:2]}/{oid[2:4]}/{oid}-{secrets.token_hex(8)}"


def link(tx: Connection, project_id: int, oid: str, size: int, blob_key: str) -> bool:
    """Give the project an object; False where it has it already."""
    values = {"project_id": project_id, "oid": oid, "size": size, "blob_key": blob_key, "created_at": now()}
    created = upsert(tx.dialect.name, lfs_objects).values(values)
    new = created.on_conflict_do_nothing(index_elements=["project_id", "oid"])
    if tx.execute(new.returning(lfs_objects.c.id)).first() is None:
        return False
    change_size(tx, project_id, "lfs_objects_size", size)
    return True


def adopt(tx: Connection, project_id: int, rows: Collection[LfsObjectRow]) -> None:
    """Give a fork objects of its source, without a copy of their content."""
    for row in rows:
        if row.project_id != project_id:
            link(tx, project_id, row.oid, row.size, row.blob_key)


def move_objects(tx: Connection, source_id: int, project_id: int) -> None:
    """Give the project all objects of another that it takes the place of."""
    table = lfs_objects
    present = select(table.c.oid).where(table.c.project_id == project_id)
    moved = (table.c.project_id == source_id) & table.c.oid.not_in(present)
    size = tx.execute(select(func.coalesce(func.sum(table.c.size), 0)).where(moved)).scalar_one()
    tx.execute(update(table).where(moved).values(project_id=project_id))
    change_size(tx, project_id, "lfs_objects_size", int(size))
