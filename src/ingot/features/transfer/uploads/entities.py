"""Uploads on the wire."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select

from ingot.access.call import Call
from ingot.features.transfer.uploads.owners import Owner
from ingot.features.transfer.uploads.rows import UploadRow
from ingot.identity.tables import users
from ingot.kit.entity import Entity, by_key, wire
from ingot.kit.upload_names import alternative_text, markdown_link


class NewUploadShown(Entity, kw_only=True):
    """A new upload, with its Markdown link."""

    id: int
    alt: str
    url: str
    full_path: str
    markdown: str


class Uploader(Entity, kw_only=True):
    """Who uploaded it."""

    id: int
    name: str
    username: str


class UploadShown(Entity, kw_only=True):
    """A file in the list."""

    id: int
    size: int
    filename: str
    created_at: datetime
    uploaded_by: Uploader | None


def show_new(owner: Owner, row: UploadRow) -> NewUploadShown:
    """The answer to an upload."""
    url = f"/uploads/{row.secret}/{row.filename}"
    return NewUploadShown(
        id=row.id,
        alt=alternative_text(row.filename),
        url=url,
        full_path=owner.web_path(row.secret, row.filename),
        markdown=markdown_link(row.filename, url),
    )


def present(call: Call, rows: Sequence[UploadRow]) -> list[UploadShown]:
    """A page of the list."""
    uploader_ids = {row.uploaded_by_id for row in rows if row.uploaded_by_id is not None}
    columns = (users.c.id, users.c.name, users.c.username)
    people = by_key(call.conn.execute(select(*columns).where(users.c.id.in_(uploader_ids))), lambda row: row.id)
    return [
        UploadShown(
            id=row.id,
            size=row.size,
            filename=row.filename,
            created_at=wire(row.created_at),
            uploaded_by=Uploader(id=who.id, name=who.name, username=who.username)
            if (who := people.get(row.uploaded_by_id)) is not None
            else None,
        )
        for row in rows
    ]
