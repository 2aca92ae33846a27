"""Payloads of milestones."""

from ingot.features.integrations.web_hooks.messages import Message
from ingot.features.integrations.web_hooks.payloads.blocks import Blocks, Payload, day, moment
from ingot.features.planning.milestones import MilestoneRow, milestones
from ingot.kit.changes import Change

ACTIONS = {"create": "create", "close": "close", "activate": "reopen", "delete": "delete", "test": "create"}


def messages(blocks: Blocks, change: Change) -> list[Message]:
    """The message of a milestone that is new, closed, open again or about to go."""
    row: MilestoneRow | None = blocks.row(milestones, change.record_id)
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
    return [Message("milestone_events", f"milestone:{row.id}", payload)]
