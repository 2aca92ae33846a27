"""When labels and milestones were added to issues and merge requests, and removed."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Table, select

from ingot.features.planning.labels import labels
from ingot.features.planning.resource_events import resource_label_events, resource_milestone_events
from ingot.features.transfer.project_exports.records import listed, stamp
from ingot.features.transfer.project_exports.relations.labels import label_record, ranks_of, written_ranks
from ingot.features.transfer.project_exports.relations.milestones import milestones_by_id
from ingot.kit.entity import group_by

EVENTS = ("resource_label_events", "resource_milestone_events")
Events = dict[str, dict[int, list[dict[str, object]]]]


def resource_events_of(conn: Connection, project_id: int, column: str, ids: Sequence[int]) -> Events:
    """Both lists of events of a batch, by the name of the list and by owner."""
    return {
        "resource_label_events": _label_events(conn, project_id, column, ids),
        "resource_milestone_events": _milestone_events(conn, project_id, column, ids),
    }


def with_events(remaining: dict[str, object], events: Events, owner_id: int) -> dict[str, list[dict[str, Any]]]:
    """The lists of one record: preserved and stored events."""
    return {name: [*listed(remaining, name), *events[name].get(owner_id, [])] for name in EVENTS}


def _rows(conn: Connection, table: Table, column: str, ids: Sequence[int]) -> Sequence[Any]:
    return conn.execute(select(table).where(table.c[column].in_(ids)).order_by(table.c.id)).all()


def _label_events(
    conn: Connection, project_id: int, column: str, ids: Sequence[int]
) -> dict[int, list[dict[str, Any]]]:
    rows = _rows(conn, resource_label_events, column, ids)
    known = conn.execute(select(labels).where(labels.c.id.in_({row.label_id for row in rows} - {None}))).all()
    ranks = ranks_of(conn, project_id, [label.id for label in known])
    named = {label.id: {**label_record(label), "priorities": written_ranks(label, ranks)} for label in known}
    return {
        owner: [
            {
                "action": row.action,
                "user_id": row.user_id,
                "created_at": stamp(row.created_at),
                **({"label": named[row.label_id]} if row.label_id in named else {}),
            }
            for row in group
        ]
        for owner, group in group_by(rows, lambda row: getattr(row, column)).items()
    }


def _milestone_events(
    conn: Connection, project_id: int, column: str, ids: Sequence[int]
) -> dict[int, list[dict[str, Any]]]:
    rows = _rows(conn, resource_milestone_events, column, ids)
    named = milestones_by_id(conn, project_id, {row.milestone_id for row in rows})
    return {
        owner: [
            {
                "action": row.action,
                "state": row.state,
                "user_id": row.user_id,
                "created_at": stamp(row.created_at),
                "milestone": named[row.milestone_id],
            }
            for row in group
        ]
        for owner, group in group_by(rows, lambda row: getattr(row, column)).items()
    }
