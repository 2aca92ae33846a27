"""Background work: writing archives of groups, reading them, and forgetting them after a day."""

from collections.abc import Mapping
from datetime import timedelta
from functools import partial

from sqlalchemy import Connection, delete, select, update

from ingot.access.tables import namespaces
from ingot.archives.pace import GROUPS, Pace
from ingot.archives.seal import is_own
from ingot.archives.unpack import ArchiveRefused
from ingot.features.transfer.group_archives.commands import EXPORT, IMPORT, end_import
from ingot.features.transfer.group_archives.reading import read_groups
from ingot.features.transfer.group_archives.rows import GroupImportRow
from ingot.features.transfer.group_archives.storing import Importer, StoredGroup, store_group
from ingot.features.transfer.group_archives.tables import group_exports, group_imports
from ingot.features.transfer.group_archives.writing import write_archive
from ingot.features.transfer.project_exports import STORE, Stand, Workplace, archive_name
from ingot.features.transfer.project_imports import unpack_blob
from ingot.identity.authentication import actor_of_user
from ingot.identity.tables import users
from ingot.instance import instance_uuid
from ingot.kit.actor import Actor
from ingot.kit.blobs.references import refers_to_blobs
from ingot.kit.clock import now
from ingot.kit.jobs import OUTAGE_BACKOFF, OUTAGE_RETRIES, JobFailed, Run, job, periodic

FILES_LIVE = timedelta(hours=24)
ROWS_LIVE = timedelta(days=7)

refers_to_blobs("group-exports/", lambda: select(group_exports.c.blob_key))
refers_to_blobs("group-exports/", lambda: select(group_exports.c.new_blob_key), planned=True)
refers_to_blobs("imports/", lambda: select(group_imports.c.blob_key))


def _export_failed(tx: Connection, args: Mapping[str, object], sentence: str) -> None:
    change = update(group_exports).where(group_exports.c.id == args["export_id"])
    tx.execute(change.values(error=sentence, new_blob_key=None, updated_at=now()))


@job(EXPORT, retries=OUTAGE_RETRIES, backoff=OUTAGE_BACKOFF, failed=_export_failed, long=True)
def export_group(run: Run, export_id: int) -> None:
    """Write the archive; the former one can be downloaded until then."""
    here = group_exports.c.id == export_id
    with run.db.write() as tx:
        row = tx.execute(select(group_exports).where(here)).one_or_none()
        if row is None:
            return
        group = tx.execute(select(namespaces).where(namespaces.c.id == row.group_id)).one()
        is_admin = bool(tx.execute(select(users.c.is_admin).where(users.c.id == row.user_id)).scalar_one())
        key = f"group-exports/{row.group_id}/{run.key}-{int(now().timestamp())}.tar.gz"
        tx.execute(update(group_exports).where(here).values(new_blob_key=key))
    name = archive_name(now(), group.full_path)
    with Workplace(run.services) as folder:
        path = folder / "archive.tar.gz"
        stand = Stand()
        with path.open("wb") as target:
            write_archive(run.services, group.id, target, run, stand, addresses=is_admin)
        run.check()
        stand.begin(STORE)
        run.progress(**stand.counters(path.stat().st_size))
        size = int(run.services.blobs.take_file(key, path, content_type="application/gzip", filename=name))
    values = {"blob_key": key, "new_blob_key": None, "file_name": name, "size": size, "error": None}
    with run.db.write() as tx:
        tx.execute(update(group_exports).where(here).values(**values, updated_at=now()))
    if row.blob_key is not None:
        run.services.blobs.delete(row.blob_key)


def _import_failed(tx: Connection, args: Mapping[str, object], sentence: str) -> None:
    end_import(tx, int(str(args["import_id"])), sentence)


@job(IMPORT, retries=OUTAGE_RETRIES, backoff=OUTAGE_BACKOFF, failed=_import_failed, long=True)
def import_group(run: Run, import_id: int) -> None:
    """Read the archive into the group that was created for it."""
    with run.db.read() as conn:
        row = conn.execute(select(group_imports).where(group_imports.c.id == import_id)).one_or_none()
        if row is None or row.ended:
            return
        actor = actor_of_user(conn.execute(select(users).where(users.c.id == row.user_id)).one())
    try:
        _read(run, row, actor)
    except ArchiveRefused as refusal:
        raise JobFailed(str(refusal)) from None
    run.transact("end", lambda tx: end_import(tx, import_id, None))


def _read(run: Run, row: GroupImportRow, actor: Actor) -> None:
    with Workplace(run.services) as folder:
        unpacked = unpack_blob(run, row.blob_key, folder)
        with run.db.read() as conn:
            uuid = instance_uuid(run.services.db, conn)
        importer = Importer(run.services, actor, own=is_own(unpacked, uuid, run.services.secret_key))
        groups, known, pace = read_groups(unpacked), dict[str, int](), Pace(GROUPS)
        for number, source in enumerate(groups):
            run.check()
            run.progress(done=number, total=len(groups), **pace.counters(number, len(groups)))
            store = partial(store_group, importer=importer, source=source, known=known, root=row.group_id)
            known[source.key] = StoredGroup.read(run.transact(f"group-{source.key}", store)).group_id


@periodic("group_archive_retention", every=3600.0)
def forget_group_archives(run: Run) -> None:
    """Archives live for a day, records of imports for a week."""
    old = group_exports.c.updated_at < now() - FILES_LIVE
    with run.db.write() as tx:
        keys = tx.execute(select(group_exports.c.blob_key).where(old)).scalars().all()
        tx.execute(delete(group_exports).where(old))
        tx.execute(delete(group_imports).where(group_imports.c.ended, group_imports.c.updated_at < now() - ROWS_LIVE))
    for key in keys:
        if key is not None:
            run.services.blobs.delete(key)
