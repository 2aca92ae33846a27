"""Changes of issues and merge requests become events, in the same transaction."""

from datetime import datetime

from sqlalchemy import Connection, insert, select, update

from ingot.features.planning.issuable_changes import Snapshot
from ingot.features.planning.resource_events.tables import (
    resource_label_events,
    resource_milestone_events,
    resource_weight_events,
)
from ingot.kit.changes import Change, follows
from ingot.kit.clock import now


@follows("issue", "merge_request")
def record_events(tx: Connection, change: Change) -> None:
    """Store the differences; initial labels and milestones count as added."""
    created, before, after = (change.details.get(name) for name in ("created", "before", "after"))
    if isinstance(created, Snapshot):
        _record_labels(tx, change, {}, created.labels, created.row.created_at)
        _record_milestone(tx, change, None, created, created.row.created_at)
    elif isinstance(before, Snapshot) and isinstance(after, Snapshot):
        moment = now()
        _record_labels(tx, change, before.labels, after.labels, moment)
        _record_milestone(tx, change, before.row.milestone_id, after, moment)
        if change.kind == "issue" and before.row.weight != after.row.weight:
            _record_weight(tx, change, before, after.row.weight, moment)


def _common(change: Change, moment: datetime) -> dict[str, object]:
    return {f"{change.kind}_id": change.record_id, "user_id": change.user_id, "created_at": moment}


def _record_labels(tx: Connection, change: Change, old: dict[int, str], new: dict[int, str], moment: datetime) -> None:
    common = _common(change, moment)
    rows = [
        {**common, "label_id": label_id, "action": action}
        for action, ids in (("add", new.keys() - old.keys()), ("remove", old.keys() - new.keys()))
        for label_id in sorted(ids)
    ]
    if rows:
        tx.execute(insert(resource_label_events), rows)


def _record_milestone(tx: Connection, change: Change, old_id: int | None, after: Snapshot, moment: datetime) -> None:
    """Replacing a milestone is one event, of the new one."""
    new_id = after.row.milestone_id
    if new_id != old_id:
        action = {"milestone_id": new_id or old_id, "action": "add" if new_id else "remove", "state": after.row.state}
        tx.execute(insert(resource_milestone_events).values({**_common(change, moment), **action}))


def _record_weight(tx: Connection, change: Change, before: Snapshot, weight: int | None, moment: datetime) -> None:
    """The first change also records the previous weight, with the time since it had been unchanged."""
    table = resource_weight_events
    rows = [{**_common(change, moment), "weight": weight}]
    known = select(table.c.id).where(table.c.issue_id == change.record_id).limit(1)
    if before.row.weight is not None and tx.execute(known).first() is None:
        rows.insert(0, {**_common(change, before.row.updated_at), "weight": before.row.weight})
    tx.execute(insert(table), rows)


@follows("label", "milestone")
def follow_folding(tx: Connection, change: Change) -> None:
    """Move the events of a label or milestone that is merged into another."""
    if change.action == "fold":
        table = resource_label_events if change.kind == "label" else resource_milestone_events
        column = table.c[f"{change.kind}_id"]
        tx.execute(update(table).where(column == change.record_id).values({column.name: change.details["into"]}))
