"""Endpoints of invitations: the same four for groups and for projects."""

from typing import Any

from sqlalchemy import Connection, select, update

from ingot.access.call import Call
from ingot.access.levels import MINIMAL
from ingot.features.people.invitations.commands import at_source
from ingot.features.people.invitations.entities import ChangedInvitation, Invitation, present
from ingot.features.people.invitations.inviting import invite_all
from ingot.features.people.invitations.params import EditInvitation, Invite, ListInvitations, OneInvitation
from ingot.features.people.invitations.rows import InvitationRow
from ingot.features.people.invitations.tables import invitations
from ingot.features.people.members import (
    MANAGE_GROUP_MEMBERS,
    MANAGE_PROJECT_MEMBERS,
    Outcome,
    require_reach,
    require_unlocked,
    source_of,
)
from ingot.kit.clock import now, today
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import Invalid, RecordNotFound

group_routes = Routes("Group invitations", guard=MANAGE_GROUP_MEMBERS)
project_routes = Routes("Project invitations", guard=MANAGE_PROJECT_MEMBERS)
ROUTES = [group_routes, project_routes]


@group_routes.get("/groups/{id}/invitations", params=ListInvitations, returns=list[Invitation])
def list_group_invitations(call: Call[ListInvitations]) -> Answer:
    """Open invitations to a group."""
    return _list(call)


@project_routes.get("/projects/{id}/invitations", params=ListInvitations, returns=list[Invitation])
def list_project_invitations(call: Call[ListInvitations]) -> Answer:
    """Open invitations to a project."""
    return _list(call)


@group_routes.post("/groups/{id}/invitations", params=Invite, returns=Outcome)
def invite_to_group(call: Call[Invite]) -> Answer:
    """Invite addresses to a group, or add users; the outcome names what failed."""
    return _invite(call)


@project_routes.post("/projects/{id}/invitations", params=Invite, returns=Outcome, errors=(405,))
def invite_to_project(call: Call[Invite]) -> Answer:
    """Invite addresses to a project, or add users; the outcome names what failed."""
    return _invite(call)


@group_routes.put("/groups/{id}/invitations/{email}", params=EditInvitation, returns=ChangedInvitation)
def edit_group_invitation(call: Call[EditInvitation]) -> Answer:
    """Change the role or expiry of an invitation to a group."""
    return _edit(call)


@project_routes.put("/projects/{id}/invitations/{email}", params=EditInvitation, returns=ChangedInvitation)
def edit_project_invitation(call: Call[EditInvitation]) -> Answer:
    """Change the role or expiry of an invitation to a project."""
    return _edit(call)


@group_routes.delete("/groups/{id}/invitations/{email}", params=OneInvitation)
def delete_group_invitation(call: Call[OneInvitation]) -> Answer:
    """Withdraw an invitation to a group."""
    _delete(call)


@project_routes.delete("/projects/{id}/invitations/{email}", params=OneInvitation)
def delete_project_invitation(call: Call[OneInvitation]) -> Answer:
    """Withdraw an invitation to a project."""
    _delete(call)


def _require_level(call: Call, level: int) -> None:
    """Refuse roles that memberships cannot have here; minimal access needs a paid tier."""
    is_paid = level == MINIMAL and not call.services.settings.has_tier("premium")
    if is_paid or level not in source_of(call).levels:
        raise Invalid({"access_level": ["is not included in the list"]})


def _level(call: Call) -> int:
    return int((call.group if call.group_or_none is not None else call.project).level)


def _list(call: Call[ListInvitations]) -> Answer:
    table = invitations
    query = select(table).where(at_source(source_of(call))).order_by(table.c.id)
    if call.params.query:
        query = query.where(table.c.email_lower.contains(call.params.query.lower(), autoescape=True))
    return call.page(query, present)


def _invite(call: Call[Invite]) -> Answer:
    source = source_of(call)
    require_unlocked(call, source)
    if call.params.access_level == MINIMAL:
        _require_level(call, MINIMAL)
    require_reach(call.actor, _level(call), call.params.access_level)
    return invite_all(call, source)


def _find(call: Call[OneInvitation], tx: Connection) -> InvitationRow:
    table = invitations
    mine = table.c.email_lower == call.params.email.lower()
    row = tx.execute(select(table).where(at_source(source_of(call)), mine)).one_or_none()
    if row is None:
        raise RecordNotFound
    return row


def _edit(call: Call[EditInvitation]) -> Answer:
    options = call.params
    # Any: of the parameters.
    values: dict[str, Any] = {
        name: getattr(options, name) for name in ("access_level", "expires_at") if name in options.sent
    }
    if "access_level" in values:
        _require_level(call, values["access_level"])
    if values.get("expires_at") is not None and values["expires_at"] < today():
        raise Invalid({"expires_at": ["cannot be a date in the past"]})
    with call.write() as tx:
        row = _find(call, tx)
        level = values.get("access_level", row.access_level)
        require_reach(call.actor, _level(call), max(row.access_level, level))
        if level != row.access_level:
            values["member_role_id"] = None  # A custom role has one level.
        tx.execute(update(invitations).where(invitations.c.id == row.id).values(**values, updated_at=now()))
        row = _find(call, tx)
    return ChangedInvitation(expires_at=row.expires_at, access_level=row.access_level)


def _delete(call: Call[OneInvitation]) -> None:
    with call.write() as tx:
        row = _find(call, tx)
        require_reach(call.actor, _level(call), row.access_level)
        call.delete_rows(tx, invitations, invitations.c.id == row.id)
