"""Finding uploads."""

from typing import Any

from sqlalchemy import Connection, Select, select

from ingot.features.transfer.uploads.owners import Owner
from ingot.features.transfer.uploads.rows import UploadRow
from ingot.features.transfer.uploads.tables import uploads
from ingot.kit.errors import NotFound


def of_owner(owner: Owner) -> Select[Any]:
    """All of them, the newest first."""
    return select(uploads).where(owner.mine()).order_by(uploads.c.created_at.desc(), uploads.c.id.desc())


def get_by_id(conn: Connection, owner: Owner, upload_id: int) -> UploadRow:
    """One by its number, or 404."""
    row = conn.execute(select(uploads).where(owner.mine(), uploads.c.id == upload_id)).one_or_none()
    if row is None:
        raise NotFound("Upload")
    return row


def find_by_secret(conn: Connection, owner: Owner, secret: str, filename: str) -> UploadRow | None:
    """One by its address, or None."""
    named = (uploads.c.secret == secret) & (uploads.c.filename == filename)
    return conn.execute(select(uploads).where(owner.mine(), named)).one_or_none()


def get_by_secret(conn: Connection, owner: Owner, secret: str, filename: str) -> UploadRow:
    """One by its address, or 404."""
    result = find_by_secret(conn, owner, secret, filename)
    if result is None:
        raise NotFound("Upload")
    return result
