"""Storing and removing files: the object first and then the row, or the row first and then the object."""

import logging
import secrets
from collections.abc import Iterable
from contextlib import suppress

from sqlalchemy import Connection, delete, insert

from ingot.features.people.avatars import picture_type
from ingot.features.spaces.projects import change_size
from ingot.features.transfer.uploads.owners import Owner
from ingot.features.transfer.uploads.rows import UploadRow
from ingot.features.transfer.uploads.tables import uploads
from ingot.kit.blobs import StoreUnavailable
from ingot.kit.clock import now
from ingot.kit.params import UploadedFile
from ingot.kit.services import Services
from ingot.kit.upload_names import played_as, safe_filename

log = logging.getLogger("ingot.uploads")
UNKNOWN = "application/octet-stream"
_CHUNK = 1024 * 1024


def store(services: Services, owner: Owner, file: UploadedFile, user_id: int | None) -> UploadRow:
    """Store an uploaded file under a new secret; returns its row."""
    name = safe_filename(file.filename)
    file.file.seek(0)
    head = file.file.read(16)
    file.file.seek(0)
    chunks = iter(lambda: file.file.read(_CHUNK), b"")
    return keep(services, owner, Arriving(secrets.token_hex(16), name, head, chunks), user_id)


class Arriving:
    """A file on its way into the store."""

    def __init__(self, secret: str, filename: str, head: bytes, chunks: Iterable[bytes]) -> None:
        self.secret = secret
        self.filename = filename
        # By the first bytes for images; by the name only for types that no browser runs.
        self.media_type = picture_type(head) or played_as(filename) or UNKNOWN
        self.chunks = chunks

    @property
    def is_picture(self) -> bool:
        """Shown inline instead of downloaded."""
        return self.media_type.startswith("image/")


def keep(services: Services, owner: Owner, file: Arriving, user_id: int | None) -> UploadRow:
    """Store the object, then its row; the object is deleted again if the row cannot be written."""
    key = f"{owner.prefix}/{secrets.token_hex(16)}"
    shown_as = None if file.is_picture else file.filename
    size = services.blobs.put_chunks(key, file.chunks, content_type=file.media_type, filename=shown_as)
    try:
        with services.db.write() as tx:
            return _insert(tx, owner, file, key, size, user_id)
    except BaseException:
        # Otherwise the daily sweep removes it.
        with suppress(StoreUnavailable):
            services.blobs.delete(key)
        raise


def _insert(tx: Connection, owner: Owner, file: Arriving, key: str, size: int, user_id: int | None) -> UploadRow:
    row = {
        owner.column: owner.id,
        "secret": file.secret,
        "filename": file.filename,
        "size": size,
        "media_type": file.media_type,
        "blob_key": key,
        "uploaded_by_id": user_id,
        "created_at": now(),
    }
    created = tx.execute(insert(uploads).values(**row).returning(*uploads.c)).one()
    if owner.kind == "project":
        change_size(tx, owner.id, "uploads_size", size)
    return created


def remove(services: Services, owner: Owner, upload: UploadRow) -> None:
    """Delete a file; of two concurrent calls, one succeeds."""
    with services.db.write() as tx:
        gone = tx.execute(delete(uploads).where(owner.mine(), uploads.c.id == upload.id)).rowcount
        if gone and owner.kind == "project":
            change_size(tx, owner.id, "uploads_size", -upload.size)
    try:
        services.blobs.delete(upload.blob_key)
    except StoreUnavailable:
        log.warning("an object is left for the sweep", extra={"path": upload.blob_key})
