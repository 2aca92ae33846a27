"""Writes events, in the transaction of the change that they describe."""

from collections.abc import Iterable, Sequence
from datetime import datetime

import msgspec
from sqlalchemy import Connection, Select, delete, insert

from ingot.features.people.event_log.tables import events
from ingot.kit.clock import now

_ADD = insert(events)
# Comments are distinguished by their kind of thread.
COMMENTS = ("Note", "DiffNote", "DiscussionNote")


class PushedRef(msgspec.Struct, frozen=True, kw_only=True):
    """What a push did to a branch or tag; without a `ref`, to `ref_count` of them."""

    action: str  # created | pushed | removed
    ref_type: str  # branch | tag
    ref: str | None = None
    commit_from: str | None = None
    commit_to: str | None = None
    commit_title: str | None = None
    commit_count: int = 0
    ref_count: int | None = None


def record_event(
    tx: Connection,
    action: str,
    project_id: int,
    author_id: int | None,
    target: tuple[str, int] | None = None,
    at: datetime | None = None,
) -> None:
    """Record an event; nothing is recorded without a user."""
    if author_id is None:
        return
    target_type, target_id = target or (None, None)
    values = {
        "project_id": project_id,
        "author_id": author_id,
        "action": action,
        "target_type": target_type,
        "target_id": target_id,
        "created_at": at or now(),
    }
    tx.execute(_ADD, values)


def record_push(tx: Connection, project_id: int, author_id: int | None, pushed: Iterable[PushedRef]) -> None:
    """Record a push."""
    if author_id is None:
        return
    moment = now()
    for one in pushed:
        values = {
            "project_id": project_id,
            "author_id": author_id,
            "action": "pushed",
            "push_action": one.action,
            "ref_type": one.ref_type,
            "ref": one.ref,
            "commit_from": one.commit_from,
            "commit_to": one.commit_to,
            "commit_title": one.commit_title,
            "commit_count": one.commit_count,
            "ref_count": one.ref_count,
            "created_at": moment,
        }
        tx.execute(_ADD, values)


def forget_targets(tx: Connection, types: Sequence[str], ids: Sequence[int] | Select[int]) -> None:
    """Delete the events of deleted targets."""
    tx.execute(delete(events).where(events.c.target_type.in_(types), events.c.target_id.in_(ids)))
