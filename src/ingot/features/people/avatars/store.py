"""Storing avatars in the object store; the row has the key."""

import secrets
from contextlib import suppress
from functools import partial
from typing import Any

from sqlalchemy import Table, select, update

from ingot.access.tables import namespaces, projects
from ingot.features.people.avatars.images import LIMIT, safe_name
from ingot.identity.tables import users
from ingot.kit.blobs import StoreUnavailable
from ingot.kit.blobs.references import refers_to_blobs
from ingot.kit.clock import now
from ingot.kit.params import UploadedFile
from ingot.kit.services import Services

for _table in (users, namespaces, projects):
    refers_to_blobs("avatars/", partial(select, _table.c.avatar))


def stored_in(kind: str, owner_id: int) -> str:
    """The prefix of all avatars of one group, project or user."""
    return f"avatars/{kind}/{owner_id}/"


def replace_avatar(services: Services, table: Table, kind: str, owner_id: int, upload: UploadedFile | None) -> None:
    """Store a checked image as the avatar, or remove the avatar with None. `kind`: group, project or user."""
    key = None if upload is None else _put(services, kind, owner_id, upload)
    with services.db.write() as tx:
        row: Any = tx.execute(select(table.c.avatar).where(table.c.id == owner_id).with_for_update()).one_or_none()
        old = None if row is None else row.avatar
        tx.execute(update(table).where(table.c.id == owner_id).values(avatar=key, updated_at=now()))
    if old is not None:
        # The avatar is changed already; the daily sweep removes the old object.
        with suppress(StoreUnavailable):
            services.blobs.delete(old)


def read_picture(services: Services, key: str) -> bytes | None:
    """The stored image; None for one above the limit, which an old import may have stored."""
    content = services.blobs.read(key, 0, LIMIT + 1)
    return content if len(content) <= LIMIT else None


def _put(services: Services, kind: str, owner_id: int, upload: UploadedFile) -> str:
    # Each upload has its own key: readers of the old image are not disturbed.
    key = f"{stored_in(kind, owner_id)}{secrets.token_hex(8)}/{safe_name(upload.filename)}"
    upload.file.seek(0)
    services.blobs.put(key, upload.file.read(LIMIT))
    return key
