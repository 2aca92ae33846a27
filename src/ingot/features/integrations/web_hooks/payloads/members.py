"""Payloads of memberships, and of requests for them."""

from collections.abc import Mapping
from datetime import date

from sqlalchemy import select

from ingot.access.levels import DEVELOPER, ROLE_NAMES, Visibility
from ingot.access.member_changes import MembershipRow
from ingot.access.tables import members, namespaces, projects
from ingot.features.integrations.web_hooks.messages import Message
from ingot.features.integrations.web_hooks.payloads.blocks import REDACTED, Blocks, Payload, iso
from ingot.identity.rows import UserRow
from ingot.kit.changes import Change
from ingot.kit.clock import now

WORDS = {"add": "user_add_to", "update": "user_update_for", "remove": "user_remove_from"}


def messages(blocks: Blocks, change: Change) -> list[Message]:
    """Somebody's role is new, changed or gone."""
    member = _member(blocks, change)
    if member is None:
        return []
    word = WORDS[change.action]
    moments = {"created_at": iso(member.created_at), "updated_at": iso(member.updated_at)}
    return _messages(blocks, change, (f"{word}_team", f"{word}_group"), member.access_level, member.expires_at, moments)


def request_messages(blocks: Blocks, change: Change) -> list[Message]:
    """Somebody asks for a membership, or the request was withdrawn or denied."""
    word = "user_access_request_to" if change.action == "request" else "user_access_request_revoked_for"
    moments = {"created_at": iso(now()), "updated_at": iso(now())}
    return _messages(blocks, change, (f"{word}_project", f"{word}_group"), DEVELOPER, None, moments)


def _member(blocks: Blocks, change: Change) -> MembershipRow | None:
    ended = change.details.get("member")
    if ended is not None:
        row: MembershipRow = ended  # type: ignore[assignment]  # put there by `report_removal`
        return row
    here = members.c.group_id == change.group_id
    if change.project_id is not None:
        here = members.c.project_id == change.project_id
    return blocks.tx.execute(select(members).where(here, members.c.user_id == change.record_id)).one_or_none()


def _messages(
    blocks: Blocks,
    change: Change,
    words: tuple[str, str],
    level: int,
    expires_at: date | None,
    moments: Mapping[str, object],
) -> list[Message]:
    user = blocks.user_row(change.record_id)
    if user is None:
        return []
    subject = f"member:{change.project_id}:{change.group_id}:{user.id}"
    role = ROLE_NAMES.get(level, str(level))
    if change.project_id is not None:
        project = blocks.row(projects, change.project_id)
        if project is None:
            return []
        payload = {
            "event_name": words[0],
            **moments,
            "access_level": role,
            "project_id": project.id,
            "project_name": project.name,
            "project_path": project.path,
            "project_path_with_namespace": project.full_path,
            "project_visibility": Visibility(project.visibility).word,
            **_person(user, user.email),
        }
        return [Message(None, subject, payload)]
    group = blocks.row(namespaces, change.group_id)
    if group is None:
        return []
    place = {"group_name": group.name, "group_path": group.path, "group_id": group.id}
    end = None if expires_at is None else f"{expires_at.isoformat()}T00:00:00Z"
    common: Payload = {"event_name": words[1], **moments, **place, "group_access": role, "expires_at": end}
    shown = {**common, **_person(user, user.public_email or REDACTED), "group_plan": None}
    return [
        Message(None, subject, {**common, **_person(user, user.email)}),
        Message("member_events", subject, shown, kinds=("group",)),
    ]


def _person(user: UserRow, email: str) -> Payload:
    return {"user_id": user.id, "user_name": user.name, "user_username": user.username, "user_email": email}
