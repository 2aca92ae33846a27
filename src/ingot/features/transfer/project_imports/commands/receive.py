"""Receiving an archive: storing it, and scheduling its import."""

from contextlib import suppress
from uuid import uuid4

from sqlalchemy import Connection, select

from ingot.access.rows import NamespaceRow, ProjectRow
from ingot.access.tables import projects
from ingot.features.transfer.project_imports.commands.schedule import ImportOptions, schedule_import
from ingot.instance import application_setting
from ingot.kit.actor import Actor
from ingot.kit.blobs import StoreUnavailable
from ingot.kit.errors import Body, TooLarge
from ingot.kit.params import UploadedFile
from ingot.kit.services import Services

MEGABYTE = 1024 * 1024
NOT_GZ = {"message": {"error": "You need to upload a GitLab project export archive (ending in .gz)."}}


def largest_archive(conn: Connection) -> int:
    """The largest archive to upload, in bytes; 0 means any."""
    return int(application_setting(conn, "max_import_size") or 0) * MEGABYTE


def require_archive_name(file: UploadedFile) -> None:
    """Refuse a file name without an archive suffix."""
    if not file.filename.lower().endswith(".gz"):
        raise Body(422, NOT_GZ)


def store_archive(services: Services, conn: Connection, file: UploadedFile) -> str:
    """Put an upload of permitted size into the store; returns its key."""
    limit = largest_archive(conn)
    if limit and file.size > limit:
        raise TooLarge
    key = f"imports/{uuid4().hex}.tar.gz"
    file.file.seek(0)
    services.blobs.put_chunks(key, iter(lambda: file.file.read(MEGABYTE), b""))
    return key


def start_import(services: Services, actor: Actor, namespace: NamespaceRow, options: ImportOptions) -> ProjectRow:
    """Schedule the import and return the new project; where that is refused, the stored archive goes again."""
    try:
        with services.db.write() as tx:
            project_id = schedule_import(services, tx, actor, namespace, options)
            # Read here: a fast worker may start before the answer is written.
            return tx.execute(select(projects).where(projects.c.id == project_id)).one()
    except Exception:
        if options.blob_key is not None:  # nobody will read it
            with suppress(StoreUnavailable):
                services.blobs.delete(options.blob_key)
        raise
