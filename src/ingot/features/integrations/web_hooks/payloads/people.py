"""Payloads of people and their keys, for the hooks of the instance."""

from datetime import datetime

from ingot.features.integrations.web_hooks.messages import Message
from ingot.features.integrations.web_hooks.payloads.blocks import Blocks, Payload, iso
from ingot.kit.changes import Change
from ingot.kit.clock import now


def user_messages(blocks: Blocks, change: Change) -> list[Message]:
    """Somebody is new, has another user name, is about to go, or was refused at the door."""
    row = blocks.user_row(change.record_id)
    if row is None:
        return []
    payload: Payload = {
        "event_name": f"user_{change.action}",
        "created_at": iso(row.created_at),
        "updated_at": iso(row.updated_at),
        "name": row.name,
        "email": row.email,
        "username": row.username,
        "user_id": row.id,
    }
    if change.action == "rename":
        payload["old_username"] = change.details["old_username"]
    elif change.action == "failed_login":
        payload["state"] = row.state
    return [Message(None, f"user:{row.id}", payload)]


def key_messages(blocks: Blocks, change: Change) -> list[Message]:
    """An SSH key is new or gone."""
    created_at = change.details["created_at"]
    moment = iso(created_at if isinstance(created_at, datetime) else now())
    payload: Payload = {
        "event_name": f"key_{change.action}",
        "created_at": moment,
        "updated_at": moment,
        "id": change.record_id,
        "key": change.details["key"],
    }
    owner = blocks.user_row(change.user_id)
    if owner is not None:
        payload["username"] = owner.username
    return [Message(None, f"key:{change.record_id}", payload)]
