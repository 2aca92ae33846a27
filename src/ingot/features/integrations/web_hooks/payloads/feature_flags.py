"""Payloads of feature flags that are switched."""

from ingot.features.ci.project_flags import FlagRow, project_flags
from ingot.features.integrations.web_hooks.messages import Message
from ingot.features.integrations.web_hooks.payloads.blocks import Blocks, Payload
from ingot.kit.changes import Change


def messages(blocks: Blocks, change: Change) -> list[Message]:
    """The message of a flag that was switched on or off."""
    row: FlagRow | None = blocks.row(project_flags, change.record_id)
    if row is None:
        return []
    user = blocks.user_row(change.user_id)
    payload: Payload = {
        "object_kind": "feature_flag",
        "project": blocks.project(row.project_id),
        "user": blocks.user(change.user_id),
        "user_url": None if user is None else f"{blocks.base_url}/{user.username}",
        "object_attributes": {
            "id": row.id,
            "name": row.name,
            "description": row.description,
            "active": row.active,
        },
    }
    return [Message("feature_flag_events", f"feature_flag:{row.id}", payload)]
