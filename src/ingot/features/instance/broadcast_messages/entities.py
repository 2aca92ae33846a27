"""Broadcast messages on the wire."""

from collections.abc import Sequence
from datetime import datetime

from ingot.access.call import Call
from ingot.features.instance.broadcast_messages.rows import MessageRow
from ingot.kit.clock import now
from ingot.kit.entity import Entity, wire


class BroadcastMessage(Entity):
    """A message to everybody."""

    id: int
    message: str
    starts_at: datetime
    ends_at: datetime
    color: str
    font: str
    target_access_levels: list[int]
    target_path: str | None
    broadcast_type: str
    theme: str
    dismissable: bool
    active: bool


def present(_: Call, rows: Sequence[MessageRow]) -> list[BroadcastMessage]:
    """A page of messages."""
    moment = now()
    return [
        BroadcastMessage(
            id=row.id,
            message=row.message,
            starts_at=wire(row.starts_at),
            ends_at=wire(row.ends_at),
            color=row.color,
            font=row.font,
            target_access_levels=row.target_access_levels,
            target_path=row.target_path,
            broadcast_type=row.broadcast_type,
            theme=row.theme,
            dismissable=row.dismissable,
            active=row.starts_at <= moment < row.ends_at,
        )
        for row in rows
    ]
