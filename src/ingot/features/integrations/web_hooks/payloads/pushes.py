"""Payloads of pushes. Their commits are late parts: no transaction waits for git."""

from collections.abc import Sequence

from sqlalchemy import select

from ingot.events import RefChange
from ingot.features.code.protected_branches import all_protected_branches, protected_tags
from ingot.features.integrations.web_hooks.messages import Message
from ingot.features.integrations.web_hooks.payloads.blocks import Blocks, Payload
from ingot.features.people.users import avatar_url
from ingot.gitstore.listing import matches_pattern
from ingot.instance import application_setting
from ingot.kit.changes import Change
from ingot.kit.entity import group_by

LIMIT = "push_event_hooks_limit"


def messages(blocks: Blocks, change: Change) -> list[Message]:
    """A message for each branch and tag, unless too many moved at once, and one for all."""
    given = change.details.get("refs")
    changes = [one for one in given if isinstance(one, RefChange)] if isinstance(given, Sequence) else []
    refs = [one for one in changes if one.branch is not None or one.tag is not None]
    if not refs:
        return []
    most = int(application_setting(blocks.tx, LIMIT) or 0)
    result = [_of_all(blocks, change, refs)]
    for group in group_by(refs, _kind).values():
        if not most or len(group) <= most:
            result += [_of_one(blocks, change, one) for one in group]
    return result


def _kind(change: RefChange) -> tuple[bool, bool, bool]:
    return change.tag is not None, change.is_creation, change.is_deletion


def _pusher(blocks: Blocks, user_id: int | None) -> Payload:
    row = blocks.user_row(user_id)
    if row is None:
        return dict.fromkeys(("user_id", "user_name", "user_username", "user_email", "user_avatar"))
    return {
        "user_id": row.id,
        "user_name": row.name,
        "user_username": row.username,
        "user_email": row.public_email,
        "user_avatar": avatar_url(row, blocks.base_url),
    }


def _of_one(blocks: Blocks, change: Change, ref: RefChange) -> Message:
    kind = "push" if ref.tag is None else "tag_push"
    project_id = change.project_id or 0
    payload: Payload = {
        "object_kind": kind,
        "event_name": kind,
        "before": ref.old,
        "after": ref.new,
        "ref": ref.ref,
        "ref_protected": _is_protected(blocks, project_id, ref),
        "checkout_sha": None if ref.is_deletion else ref.new,
        "message": None,
        **_pusher(blocks, change.user_id),
        "project_id": project_id,
        "project": blocks.project(project_id),
        "commits": [],
        "total_commits_count": 0,
        "push_options": {},
        "repository": blocks.repository(project_id, with_addresses=True),
    }
    late: dict[str, object] = {
        "kind": "push", "at": [], "project_id": project_id, "ref": ref.ref, "old": ref.old, "new": ref.new,
    }  # fmt: skip
    return Message(f"{kind}_events", f"ref:{ref.ref}"[:255], payload, branch=ref.branch, late_parts=[late])


def _is_protected(blocks: Blocks, project_id: int, ref: RefChange) -> bool:
    table = all_protected_branches if ref.tag is None else protected_tags
    names = blocks.tx.execute(select(table.c.name).where(table.c.project_id == project_id)).scalars()
    return any(matches_pattern(ref.branch or ref.tag or "", name) for name in names)


def _of_all(blocks: Blocks, change: Change, refs: Sequence[RefChange]) -> Message:
    project_id = change.project_id or 0
    pusher = _pusher(blocks, change.user_id)
    pusher.pop("user_username")
    payload: Payload = {
        "event_name": "repository_update",
        **pusher,
        "project_id": project_id,
        "project": blocks.project(project_id),
        "changes": [{"before": one.old, "after": one.new, "ref": one.ref} for one in refs],
        "refs": list(dict.fromkeys(one.ref for one in refs)),
    }
    return Message("repository_update_events", f"project:{project_id}", payload, kinds=("system",))
