"""Adding objects to projects."""

import hashlib
import secrets
from collections.abc import Callable, Collection
from datetime import timedelta

from sqlalchemy import Connection, func, insert, literal, select, update

from ingot.features.code.lfs_objects.queries import AT_ONCE, find_objects
from ingot.features.code.lfs_objects.rows import LfsObjectRow
from ingot.features.code.lfs_objects.tables import lfs_objects
from ingot.features.spaces.projects import change_size, find_size_limit
from ingot.kit.clock import now
from ingot.kit.db import UtcDateTime
from ingot.kit.errors import Failure
from ingot.kit.services import Services
from ingot.kit.spool import Spool
from ingot.kit.upsert import upsert

YOUNG = timedelta(days=1)  # objects come before the commits that name them


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


def store_content(services: Services, project_id: int, content: bytes | Spool) -> tuple[str, int]:
    """Give the project an object with this content; returns its name and size."""
    pieces = content.pieces if isinstance(content, Spool) else lambda: iter((content,))
    size, digest = 0, hashlib.sha256()
    for piece in pieces():
        digest.update(piece)
        size += len(piece)
    oid = digest.hexdigest()
    with services.db.read() as conn:
        is_here = bool(find_objects(conn, project_id, [oid]))
        limit = find_size_limit(conn, project_id)
    if is_here:
        with services.db.write() as tx:
            renew(tx, project_id, [oid])
            is_here = bool(find_objects(tx, project_id, [oid]))  # or collected meanwhile
    if is_here:
        return oid, size
    if limit is not None and not limit.leaves_room_for(size):
        raise Failure(400, limit.refuse_commit(size))
    key = object_key(oid)
    services.blobs.put_chunks(key, pieces())
    with services.db.write() as tx:
        link(tx, project_id, oid, size, key)
    return oid, size


def adopt(tx: Connection, project_id: int, rows: Collection[LfsObjectRow]) -> None:
    """Give a fork objects of its source, without a copy of their content."""
    for row in rows:
        if row.project_id != project_id:
            link(tx, project_id, row.oid, row.size, row.blob_key)


def renew(tx: Connection, project_id: int, oids: Collection[str]) -> None:
    """A client counts on these objects for a push: count them as new again, so that they are not collected."""
    mine = (lfs_objects.c.project_id == project_id) & (lfs_objects.c.created_at < now() - YOUNG / 2)
    names = sorted(oids)
    for start in range(0, len(names), AT_ONCE):
        named = lfs_objects.c.oid.in_(names[start : start + AT_ONCE])
        tx.execute(update(lfs_objects).where(mine, named).values(created_at=now()))


def link_from_fork(
    services: Services, fork_id: int, project_id: int, find_names: Callable[[], Collection[str]]
) -> None:
    """Give a project the objects of a fork that a merge request brings, as far as they fit into its size limit.

    `find_names` looks through the commits of the request; it is asked only where the fork has something to give.
    """
    table, present = lfs_objects, lfs_objects.alias()
    here = select(present.c.id).where(present.c.project_id == project_id, present.c.oid == table.c.oid)
    missing = select(table).where(table.c.project_id == fork_id, ~here.exists())
    with services.db.read() as conn:
        if conn.execute(missing.limit(1)).first() is None:
            return
    names = sorted(find_names())
    for start in range(0, len(names), AT_ONCE):
        with services.db.write() as tx:
            rows = tx.execute(missing.where(table.c.oid.in_(names[start : start + AT_ONCE]))).all()
            limit = find_size_limit(tx, project_id)
            if limit is None or limit.leaves_room_for(sum(row.size for row in rows)):
                adopt(tx, project_id, rows)


def copy_objects(tx: Connection, source_id: int, project_id: int) -> None:
    """Give a new fork all objects of its source, without a copy of their content."""
    table, present = lfs_objects, select(lfs_objects.c.oid).where(lfs_objects.c.project_id == project_id)
    missing = (table.c.project_id == source_id) & table.c.oid.not_in(present)
    size = tx.execute(select(func.coalesce(func.sum(table.c.size), 0)).where(missing)).scalar_one()
    names = ("oid", "size", "blob_key")
    copied = select(literal(project_id), literal(now(), UtcDateTime), *(table.c[name] for name in names)).where(missing)
    tx.execute(insert(table).from_select(["project_id", "created_at", *names], copied))
    change_size(tx, project_id, "lfs_objects_size", int(size))


def move_objects(tx: Connection, source_id: int, project_id: int) -> None:
    """Give the project all objects of another that it takes the place of."""
    table = lfs_objects
    present = select(table.c.oid).where(table.c.project_id == project_id)
    moved = (table.c.project_id == source_id) & table.c.oid.not_in(present)
    size = tx.execute(select(func.coalesce(func.sum(table.c.size), 0)).where(moved)).scalar_one()
    tx.execute(update(table).where(moved).values(project_id=project_id))
    change_size(tx, project_id, "lfs_objects_size", int(size))
