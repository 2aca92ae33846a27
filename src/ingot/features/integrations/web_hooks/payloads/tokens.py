"""Payloads of tokens that end soon."""

from datetime import timedelta

from ingot.features.integrations.web_hooks.messages import Message
from ingot.features.integrations.web_hooks.payloads.blocks import Blocks, Payload, day, moment
from ingot.features.spaces.deploy_tokens import deploy_token_username, deploy_tokens
from ingot.identity.tables import personal_access_tokens
from ingot.kit.changes import Change
from ingot.kit.clock import now, today


def access_token_messages(blocks: Blocks, change: Change) -> list[Message]:
    """An access token of a project or group ends soon."""
    attributes = _sample(change) if change.action == "test" else _access_token(blocks, change.record_id)
    return _messages(blocks, change, "access_token", attributes)


def deploy_token_messages(blocks: Blocks, change: Change) -> list[Message]:
    """A deploy token of a project or group ends soon."""
    row = blocks.row(deploy_tokens, change.record_id)
    if row is None:
        return []
    attributes = {
        "id": row.id,
        "name": row.name,
        "username": deploy_token_username(row),
        "expires_at": day(row.expires_at.date()),
        "created_at": moment(row.created_at),
        "revoked": row.revoked,
        "deploy_token_type": "group_type" if row.project_id is None else "project_type",
    }
    return _messages(blocks, change, "deploy_token", attributes)


def _messages(blocks: Blocks, change: Change, kind: str, attributes: Payload | None) -> list[Message]:
    if attributes is None:
        return []
    payload: Payload = {
        "object_kind": kind,
        **_place(blocks, change),
        "object_attributes": attributes,
        "event_name": f"expiring_{kind}",
    }
    return [Message(f"resource_{kind}_events", f"{kind}:{change.record_id}", payload)]


def _place(blocks: Blocks, change: Change) -> Payload:
    if change.project_id is not None:
        return {"project": blocks.project(change.project_id)}
    return {"group": blocks.group(change.group_id)}


def _access_token(blocks: Blocks, token_id: int) -> Payload | None:
    row = blocks.row(personal_access_tokens, token_id)
    if row is None:
        return None
    return {
        "id": row.id,
        "user_id": row.user_id,
        "name": row.name,
        "created_at": moment(row.created_at),
        "expires_at": day(row.expires_at),
        "last_used_at": moment(row.last_used_at),
    }


def _sample(change: Change) -> Payload:
    """A token that does not exist."""
    return {
        "id": 1,
        "user_id": change.user_id,
        "name": "sample-token",
        "created_at": moment(now()),
        "expires_at": day(today() + timedelta(days=7)),
        "last_used_at": None,
    }
