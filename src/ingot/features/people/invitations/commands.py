"""Inviting an address, and accepting when an account with that address appears."""

from datetime import date, datetime
from typing import Any, TypedDict, Unpack

from sqlalchemy import Connection, Select, delete, insert, or_, select

from ingot.access.tables import members, projects
from ingot.features.people.invitations.rows import InvitationRow, OpenInvitationRow
from ingot.features.people.invitations.tables import invitations
from ingot.features.people.members import AlreadyMember, Source, add_member
from ingot.identity.tables import users
from ingot.kit.clock import now, today
from ingot.kit.errors import Invalid
from ingot.kit.jobs import enqueue
from ingot.kit.patterns import pattern

ADDRESS = pattern(r"[^@\s]+@[^@\s]+")
LONGEST = 255


def is_address(text: str) -> bool:
    """It looks like an e-mail address."""
    return len(text) <= LONGEST and ADDRESS.fullmatch(text) is not None


def at_source(source: Source) -> Any:
    """Condition: invitations to exactly this group or project."""
    return (invitations.c.group_id if source.is_group else invitations.c.project_id) == source.id


def account_of(conn: Connection, email: str) -> int | None:
    """The account whose confirmed primary address it is."""
    query = select(users.c.id).where(users.c.email_lower == email.lower(), users.c.confirmed_at.is_not(None))
    return conn.execute(query).scalar_one_or_none()


class InvitationOptions(TypedDict, total=False):
    """The membership that an invitation offers, and its creation time when imported."""

    created_by_id: int | None
    member_role_id: int | None
    notification_level: int
    created_at: datetime
    updated_at: datetime


def invite(
    tx: Connection,
    source: Source,
    email: str,
    access_level: int,
    *,
    expires_at: date | None = None,
    **more: Unpack[InvitationOptions],
) -> bool:
    """Store the invitation; False if the address was invited before. Raises `Invalid`."""
    if access_level not in source.levels:
        raise Invalid({"access_level": ["is not included in the list"]})
    if expires_at is not None and expires_at < today():
        raise Invalid({"expires_at": ["cannot be a date in the past"]})
    known = select(invitations.c.id).where(at_source(source), invitations.c.email_lower == email.lower())
    if tx.execute(known).first() is not None:
        return False
    moment = now()
    values = {"created_at": moment, "updated_at": moment, **more}
    created = tx.execute(
        insert(invitations)
        .values(
            **source.key,
            email=email,
            email_lower=email.lower(),
            access_level=access_level,
            expires_at=expires_at,
            **values,
        )
        .returning(invitations.c.id)
    ).scalar_one()
    enqueue(tx, "invitation_mail", key=f"invitation-mail-{created}", args={"invitation_id": int(created)})
    return True


def accept_invitations(tx: Connection, user_id: int, email: str) -> None:
    """Turn the invitations to a confirmed address into memberships, in the same transaction."""
    mine = invitations.c.email_lower == email.lower()
    rows = tx.execute(open_invitations().where(mine).order_by(invitations.c.id)).all()
    for row in rows:
        accept(tx, row, user_id)
    tx.execute(delete(invitations).where(mine))


def open_invitations() -> Select[Any]:
    """Invitations whose membership has not ended yet, with the group of the project."""
    table = invitations
    return (
        select(table, projects.c.namespace_id)
        .join_from(table, projects, projects.c.id == table.c.project_id, isouter=True)
        .where(or_(table.c.expires_at.is_(None), table.c.expires_at > today()))
    )


def accept(tx: Connection, row: OpenInvitationRow, user_id: int) -> Source:
    """Make a member of somebody as the invitation says, unless they are one, and forget it; returns the place."""
    source = source_of_invitation(row)
    known = tx.execute(select(members.c.id).where(source.direct, members.c.user_id == user_id)).first()
    if known is None:
        _join(tx, source, user_id, row)
    withdraw(tx, row.id)
    return source


def withdraw(tx: Connection, invitation_id: int) -> None:
    """Forget an invitation."""
    tx.execute(delete(invitations).where(invitations.c.id == invitation_id))


def source_of_invitation(row: OpenInvitationRow) -> Source:
    """Where the invitation leads."""
    if row.project_id is not None:
        return Source("project", row.project_id, row.namespace_id or 0)
    group_id = row.group_id or 0
    return Source("group", group_id, group_id)


def _join(tx: Connection, source: Source, user_id: int, row: InvitationRow) -> None:
    try:
        add_member(
            tx,
            source,
            user_id,
            row.access_level,
            expires_at=row.expires_at,
            created_by_id=row.created_by_id,
            member_role_id=row.member_role_id,
            notification_level=row.notification_level,
        )
    except (AlreadyMember, Invalid):
        return  # they already inherit a higher role
