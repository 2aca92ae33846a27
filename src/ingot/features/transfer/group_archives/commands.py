"""Requesting exports and imports of groups, and ending imports."""

from contextlib import suppress

from sqlalchemy import Connection, insert, select, update

from ingot.access.call import Call
from ingot.access.subjects import Group, get_group
from ingot.features.spaces.groups import create_group, may_create_group
from ingot.features.transfer.group_archives.params import ImportGroup
from ingot.features.transfer.group_archives.rows import GroupExportRow
from ingot.features.transfer.group_archives.tables import group_exports, group_imports
from ingot.features.transfer.project_imports import drop_archive, store_archive
from ingot.kit.actor import Actor
from ingot.kit.blobs import StoreUnavailable
from ingot.kit.clock import now
from ingot.kit.errors import Conflict, Forbidden
from ingot.kit.jobs import cancel, enqueue

EXPORT, IMPORT = "group_export", "group_import"
NOTHING_RUNS = "The import has already finished and cannot be cancelled."


def find_export(conn: Connection, group_id: int, user_id: int) -> GroupExportRow | None:
    """What a person exported of a group."""
    table = group_exports
    return conn.execute(select(table).where(table.c.group_id == group_id, table.c.user_id == user_id)).one_or_none()


def schedule_export(tx: Connection, group_id: int, user_id: int) -> None:
    """Queue the export; a request that still waits serves a second one too."""
    row, moment = find_export(tx, group_id, user_id), now()
    if row is None:
        values = {"group_id": group_id, "user_id": user_id, "created_at": moment, "updated_at": moment}
        export_id = tx.execute(insert(group_exports).values(**values).returning(group_exports.c.id)).scalar_one()
    else:
        export_id = row.id
        tx.execute(update(group_exports).where(group_exports.c.id == export_id).values(updated_at=moment))
    args = {"export_id": int(export_id)}
    enqueue(tx, EXPORT, key=f"{EXPORT}-{export_id}", args=args, subject=f"group:{group_id}", rerun=True)


def start_import(call: Call[ImportGroup]) -> None:
    """Create the group, which is empty and private until the archive is read."""
    options = call.params
    parent: Group | None = None
    if options.parent_id is not None:
        parent = get_group(call.conn, call.actor, options.parent_id)
    if not may_create_group(call.conn, call.actor, parent):
        raise Forbidden
    key = store_archive(call.services, call.conn, options.file)
    try:
        with call.write() as tx:
            group_id = create_group(
                tx, call.actor, name=options.name, path=options.path, parent=parent, options={"visibility": "private"}
            )
            _queue_import(tx, group_id, call.actor.id, key)
    except Exception:
        with suppress(StoreUnavailable):  # nobody will read it
            call.services.blobs.delete(key)
        raise


def _queue_import(tx: Connection, group_id: int, user_id: int, key: str) -> None:
    moment = now()
    values = {"group_id": group_id, "user_id": user_id, "blob_key": key, "created_at": moment, "updated_at": moment}
    number = tx.execute(insert(group_imports).values(**values).returning(group_imports.c.id)).scalar_one()
    args = {"import_id": int(number)}
    enqueue(tx, IMPORT, key=f"{IMPORT}-{number}", args=args, subject=f"group:{group_id}")


def cancel_import(tx: Connection, group_id: int, actor: Actor) -> None:
    """End the import into a group that is under way; what was stored before stays."""
    table = group_imports
    query = select(table.c.id).where(table.c.group_id == group_id, ~table.c.ended)
    number = tx.execute(query.order_by(table.c.id.desc()).limit(1)).scalar_one_or_none()
    if number is None:
        raise Conflict(NOTHING_RUNS)
    # The job first: one that ends in this moment locks its row before that of the import.
    cancel(tx, key=f"{IMPORT}-{number}")
    end_import(tx, number, f"@{actor.username} cancelled the import.")


def end_import(tx: Connection, import_id: int, error: str | None) -> None:
    """Note that an import has ended, and forget its archive."""
    here = group_imports.c.id == import_id
    row = tx.execute(select(group_imports).where(here)).one_or_none()
    if row is not None and not row.ended:
        tx.execute(update(group_imports).where(here).values(ended=True, error=error, blob_key=None, updated_at=now()))
        drop_archive(tx, row.blob_key)
