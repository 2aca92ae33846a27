"""Inviting several addresses and users at once, with an outcome for each."""

from typing import Any

from ingot.access.call import Call
from ingot.features.people.invitations.commands import account_of, invite, is_address
from ingot.features.people.invitations.params import Invite
from ingot.features.people.members import (
    MOST_AT_ONCE,
    TOO_MANY,
    Outcome,
    Source,
    add_member,
    chosen_role,
    require_saml_identity,
)
from ingot.identity.authentication import user_by_name_or_id
from ingot.kit.errors import ApiError, Invalid
from ingot.kit.events import announce
from ingot.kit.ids import parse_id


def _parts(text: str | None) -> list[str]:
    return list(dict.fromkeys(part.strip() for part in (text or "").split(",") if part.strip()))


def invite_all(call: Call[Invite], source: Source) -> Outcome:
    """Accounts become members at once, other addresses are invited."""
    failures: dict[str, str] = {}
    addresses, ids = _parts(call.params.email), _parts(call.params.user_id)
    if len(addresses) + len(ids) > MOST_AT_ONCE:
        return TOO_MANY
    for email in addresses:
        problem = _tried(call, source, email, account_of(call.conn, email))
        if problem is not None:
            failures[email] = problem
    for text in ids:
        user = user_by_name_or_id(call.conn, text) if parse_id(text) is not None else None
        problem = "User not found" if user is None else _tried(call, source, "", user.id)
        if problem is not None:
            failures[text if user is None else user.username] = problem
    if failures:
        return Outcome(status="error", message=failures)
    return Outcome(status="success")


def _tried(call: Call[Invite], source: Source, email: str, user_id: int | None) -> str | None:
    try:
        return _add(call, source, email, user_id)
    except Invalid as error:
        return " and ".join(
            f"{name.replace('_', ' ').capitalize()} {phrase}"
            for name, phrases in error.problems.items()
            for phrase in phrases
        )
    except ApiError as error:
        return error.text


def _add(call: Call[Invite], source: Source, email: str, user_id: int | None) -> str | None:
    options = call.params
    if user_id is None and not is_address(email):
        return "Invite email is invalid"
    with call.write() as tx:
        more: dict[str, Any] = {
            "expires_at": options.expires_at,
            "created_by_id": call.actor.id,
            "member_role_id": chosen_role(tx, call, source, options.member_role_id, options.access_level),
        }
        if user_id is None:
            invited = invite(tx, source, email, options.access_level, **more)
            return None if invited else "Invite email has already been taken"
        require_saml_identity(tx, call, source, user_id)
        add_member(tx, source, user_id, options.access_level, **more)
    announce(call.services, source.changed(user_id))
    return None
