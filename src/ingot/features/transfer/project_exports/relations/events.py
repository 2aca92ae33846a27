"""Events of issues, merge requests, milestones and comments."""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Connection, select

from ingot.features.people.event_log import events
from ingot.features.transfer.project_exports.records import stamp
from ingot.kit.entity import group_by


def events_of(conn: Connection, types: Sequence[str], ids: Collection[int]) -> dict[int, list[dict[str, Any]]]:
    """The events of a batch of records, oldest first."""
    here = (events.c.target_type.in_(types), events.c.target_id.in_(list(ids)))
    rows = conn.execute(select(events).where(*here).order_by(events.c.id))
    return {
        target_id: [
            {
                "project_id": row.project_id,
                "author_id": row.author_id,
                "target_type": row.target_type,
                "action": row.action,
                "created_at": stamp(row.created_at),
                "updated_at": stamp(row.created_at),
                "fingerprint": None,
            }
            for row in group
        ]
        for target_id, group in group_by(rows, lambda row: row.target_id).items()
    }
