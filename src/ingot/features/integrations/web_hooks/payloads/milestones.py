"""Payloads of milestones."""

from datetime import date, datetime
from typing import NamedTuple

from ingot.features.integrations.web_hooks.messages import Message
from ingot.features.integrations.web_hooks.payloads.blocks import Blocks, Payload, day, moment
from ingot.features.planning.milestones import MilestoneRow, milestones
from ingot.kit.changes import Change
from ingot.kit.clock import now

ACTIONS = {"create": "create", "close": "close", "activate": "reopen", "delete": "delete", "test": "create"}


class _Sample(NamedTuple):
    """A milestone that does not exist."""

    project_id: int | None
    created_at: datetime
    updated_at: datetime
    id: int = 1
    iid: int = 1
    group_id: int | None = None
    title: str = "Sample milestone"
    description: str | None = "Sample milestone description"
    state: str = "active"
    start_date: date | None = None
    due_date: date | None = None


def _sample(change: Change) -> MilestoneRow:
    return _Sample(change.project_id, now(), now())  # type: ignore[return-value]  # a tuple's fields are read-only


def messages(blocks: Blocks, change: Change) -> list[Message]:
    """The message of a milestone that is new, closed, open again or about to go."""
    row: MilestoneRow | None = blocks.row(milestones, change.record_id)
    if row is None and change.action == "test":
        row = _sample(change)
    if row is None or change.action not in ACTIONS:
        return []
    payload: Payload = {
        "object_kind": "milestone",
        "event_type": "milestone",
        "project": None if row.project_id is None else blocks.project(row.project_id),
        "object_attributes": {
            "id": row.id,
            "iid": row.iid,
            "title": row.title,
            "description": blocks.absolute(row.description),
            "state": row.state,
            "created_at": moment(row.created_at),
            "updated_at": moment(row.updated_at),
            "due_date": day(row.due_date),
            "start_date": day(row.start_date),
            "group_id": row.group_id,
            "project_id": row.project_id,
        },
        "action": ACTIONS[change.action],
    }
    if row.group_id is not None:
        payload["group"] = blocks.group(row.group_id)
    return [Message("milestone_events", f"milestone:{row.id}", payload)]
