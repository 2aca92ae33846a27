"""Invitations on the wire."""

from collections.abc import Sequence
from datetime import date, datetime

from ingot.access.call import Call
from ingot.features.people.invitations.rows import InvitationRow
from ingot.features.people.users import users_by_id
from ingot.kit.entity import Entity, wire


class Invitation(Entity, kw_only=True):
    """An invited address; `user_name` is null until the invitation is accepted."""

    id: int
    access_level: int
    created_at: datetime
    expires_at: date | None
    invite_email: str
    user_name: str | None
    created_by_name: str | None


class ChangedInvitation(Entity, kw_only=True):
    """What an edit may change."""

    expires_at: date | None
    access_level: int


def present(call: Call, rows: Sequence[InvitationRow]) -> list[Invitation]:
    """A page of invitations."""
    inviters = users_by_id(call.conn, [row.created_by_id for row in rows], call.base_url)
    return [
        Invitation(
            id=row.id,
            access_level=row.access_level,
            created_at=wire(row.created_at),
            expires_at=row.expires_at,
            invite_email=row.email,
            user_name=None,
            created_by_name=None if (who := inviters.get(row.created_by_id or 0)) is None else who.name,
        )
        for row in rows
    ]
