"""Members of the project, with what an importer needs to recognise them, and open invitations."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, select

from ingot.access.tables import members
from ingot.features.invitations import invitations
from ingot.features.project_exports.records import batches, times
from ingot.identity.tables import users
from ingot.kit.services import Services


def records(_: Services, conn: Connection, project: Any) -> Iterator[dict[str, Any]]:
    """Direct members; the mail address is the public one, or for its owner's archive the real one."""
    found = (
        select(members, users.c.username, users.c.email, users.c.public_email)
        .join_from(members, users, users.c.id == members.c.user_id)
        .where(members.c.project_id == project.id)
    )
    for rows in batches(conn, found, members.c.id):
        for row in rows:
            person = {"id": row.user_id, "public_email": row.public_email or row.email, "username": row.username}
            yield {**_record(row, user_id=row.user_id, invite_email=None), "user": person}
    table = invitations
    for rows in batches(conn, select(table).where(table.c.project_id == project.id), table.c.id):
        for row in rows:
            yield _record(row, user_id=None, invite_email=row.email)


def _record(row: Any, *, user_id: int | None, invite_email: str | None) -> dict[str, Any]:
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
