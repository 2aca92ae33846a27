"""Members of the project, with attributes to recognise them on import, and open invitations."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, select

from ingot.access.rows import ProjectRow
from ingot.access.tables import members, namespace_ancestors
from ingot.features.people.invitations import invitations
from ingot.features.transfer.project_exports.records import batches, times
from ingot.features.transfer.project_exports.rows import MemberRow, MembershipRow
from ingot.identity.tables import users
from ingot.kit.services import Services

# The bots of access tokens belong to their project or group alone.
PEOPLE = (
    select(members, users.c.username, users.c.email, users.c.public_email)
    .join_from(members, users, users.c.id == members.c.user_id)
    .where(users.c.kind != "project_bot")
)


def records(_: Services, conn: Connection, project: ProjectRow, *, addresses: bool = False) -> Iterator[dict[str, Any]]:
    """Direct members with their public mail address; where they have none, with `addresses` their real one."""
    for rows in batches(conn, PEOPLE.where(members.c.project_id == project.id), members.c.id):
        yield from (_member(row, addresses) for row in rows)
    table = invitations
    for rows in batches(conn, select(table).where(table.c.project_id == project.id), table.c.id):
        for row in rows:
            yield _record(row, user_id=None, invite_email=row.email)


def records_with_inherited(
    services: Services, conn: Connection, project: ProjectRow, *, addresses: bool = False
) -> Iterator[dict[str, Any]]:
    """As `records`, and the members of the groups above, as if they were the project's own; each person once."""
    yield from records(services, conn, project, addresses=addresses)
    tree = namespace_ancestors
    above = select(tree.c.ancestor_id).where(tree.c.namespace_id == project.namespace_id)
    direct = select(members.c.user_id).where(members.c.project_id == project.id)
    inherited = PEOPLE.where(members.c.group_id.in_(above), members.c.user_id.not_in(direct))
    highest: dict[int, Any] = {}
    for rows in batches(conn, inherited, members.c.id):
        for row in rows:
            if row.user_id not in highest or row.access_level > highest[row.user_id].access_level:
                highest[row.user_id] = row
    yield from (_member(row, addresses) for row in highest.values())


def _member(row: MemberRow, addresses: bool) -> dict[str, Any]:
    address = row.public_email or (row.email if addresses else None)
    person = {"id": row.user_id, "public_email": address, "username": row.username}
    return {**_record(row, user_id=row.user_id, invite_email=None), "user": person}


def _record(row: MembershipRow, *, user_id: int | None, invite_email: str | None) -> dict[str, Any]:
    return {
        "access_level": row.access_level,
        "source_type": "Project",
        "user_id": user_id,
        "notification_level": row.notification_level,
        **times(row),
        "created_by_id": row.created_by_id,
        "invite_email": invite_email,
        "invite_accepted_at": None,
        "requested_at": None,
        "expires_at": row.expires_at.isoformat() if row.expires_at else None,
        "ldap": False,
        "override": False,
    }
