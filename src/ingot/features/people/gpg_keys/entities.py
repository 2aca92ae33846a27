"""GPG keys on the wire."""

from collections.abc import Sequence
from datetime import datetime

from ingot.access.call import Call
from ingot.features.people.gpg_keys.rows import GpgKeyRow
from ingot.kit.entity import Entity, wire


class GpgKey(Entity):
    """A GPG key."""

    id: int
    key: str
    created_at: datetime


def present(_: Call, rows: Sequence[GpgKeyRow]) -> list[GpgKey]:
    """A page of keys."""
    return [GpgKey(id=row.id, key=row.key, created_at=wire(row.created_at)) for row in rows]
