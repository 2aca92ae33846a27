"""The page of a mailed invitation: who invites to what and as what, with the forms that accept and decline."""

from typing import Any

from sqlalchemy import Select, select
from starlette.responses import Response

from ingot.access.levels import ROLE_NAMES
from ingot.access.tables import namespaces, projects
from ingot.features.people.invitations import (
    OpenInvitationRow,
    accept,
    invitations,
    open_invitations,
    source_of_invitation,
    withdraw,
)
from ingot.features.people.members import require_saml_identity
from ingot.features.people.users import own_addresses
from ingot.identity.mail_tokens import INVITE, read_token
from ingot.identity.tables import users
from ingot.kit.errors import Invalid
from ingot.kit.events import announce
from ingot.web.call import PageCall, View
from ingot.web.entering import form_view
from ingot.web.faults import LinkEnded
from ingot.web.frames import site_view
from ingot.web.refusals import refusal_of
from ingot.web.registry import Pages
from ingot.web.sending import done
from ingot.web.visitors import require_session

pages = Pages("site")
ENDED = "The invitation was accepted, declined or cancelled, or it is older than 30 days. Ask for a new one."


@pages.get("-/invites/{token}")
def show_invitation(call: PageCall) -> View:
    """What the mail offers; buttons decide, so that link previews change nothing."""
    return _show(call, _find(call))


@pages.post("-/invites/{token}/accept")
def accept_invitation(call: PageCall) -> View | Response:
    """Join, with an account that has the invited address."""
    require_session(call)
    row = _find(call)
    if not _is_for_visitor(call, row):
        return _show(call, row, status=403)
    try:
        with call.services.db.write() as tx:
            # Whoever takes the invitation back, or changes its role, at this moment is waited for.
            row = _require(tx.execute(_one(call).with_for_update(of=invitations)).one_or_none())
            require_saml_identity(tx, call, source_of_invitation(row), call.actor.id)
            source = accept(tx, row, call.actor.id)
    except Invalid as error:
        return _show(call, row, refusal_of(error), 422)
    announce(call.services, source.changed(call.actor.id))
    return done(call, _place(call, row)["href"], "You are now a member.")


@pages.post("-/invites/{token}/decline")
def decline_invitation(call: PageCall) -> View:
    """Forget the invitation; whoever got the mail may do that, with an account or without."""
    row = _find(call)
    with call.services.db.write() as tx:
        withdraw(tx, row.id)
    return site_view(call, "account_notice", text="You have declined the invitation.")


def _find(call: PageCall) -> OpenInvitationRow:
    """The invitation of the mailed token; 404 once it was accepted, declined or taken back."""
    with call.services.db.read() as conn:
        return _require(conn.execute(_one(call)).one_or_none())


def _one(call: PageCall) -> Select[Any]:
    token = read_token(call.services, INVITE, call.path["token"])
    if token is None:
        raise LinkEnded(ENDED)
    same = (invitations.c.id == token.record_id) & (invitations.c.email_lower == token.proof)
    return open_invitations().where(same)


def _require(row: OpenInvitationRow | None) -> OpenInvitationRow:
    if row is None:
        raise LinkEnded(ENDED)
    return row


def _is_for_visitor(call: PageCall, row: OpenInvitationRow) -> bool:
    with call.services.db.read() as conn:
        return row.email_lower in {address.lower() for address in own_addresses(conn, call.actor.id)}


def _show(call: PageCall, row: OpenInvitationRow, problem: str = "", status: int = 200) -> View:
    with call.services.db.read() as conn:
        host = conn.execute(select(users.c.name).where(users.c.id == row.created_by_id)).scalar_one_or_none()
    data: dict[str, object] = {
        "place": _place(call, row), "host": host, "role": ROLE_NAMES[row.access_level], "invite": call.path["token"],
        "email": row.email, "ends": row.expires_at, "problem": problem, "here": f"/-/invites/{call.path['token']}",
        "is_mine": not call.actor.is_anonymous and _is_for_visitor(call, row),
    }  # fmt: skip
    return form_view(call, "invitation", data, status)


# Any: a row of one of two tables.
def _place(call: PageCall, row: OpenInvitationRow) -> dict[str, Any]:
    kind, table, key = ("group", namespaces, row.group_id) if row.project_id is None else (
        "project", projects, row.project_id
    )  # fmt: skip
    with call.services.db.read() as conn:
        place: Any = conn.execute(select(table.c.full_name, table.c.full_path).where(table.c.id == key)).one()
    href = f"/groups/{place.full_path}" if kind == "group" else f"/{place.full_path}"
    return {"kind": kind, "name": place.full_name, "href": href}
