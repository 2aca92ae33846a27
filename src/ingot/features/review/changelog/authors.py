"""The people who wrote commits, and whether release notes name them."""

from collections.abc import Collection, Sequence

import msgspec
from sqlalchemy import false, select

from ingot.access.call import Call
from ingot.access.tables import group_authorizations, namespaces, project_authorizations
from ingot.access.visibility import visible_groups
from ingot.identity.tables import users

BATCH = 500


class Author(msgspec.Struct, frozen=True):
    """Somebody with an account: a contributor is no member; others are named for a group that the project names."""

    username: str
    is_contributor: bool
    is_included: bool


def authors_of(call: Call, mails: Collection[str], groups: Sequence[str]) -> dict[str, Author]:
    """People by their confirmed address in small letters."""
    rights, belongs = project_authorizations, group_authorizations
    member = select(rights.c.user_id).where(rights.c.project_id == call.project.id, rights.c.user_id == users.c.id)
    named = (
        select(belongs.c.user_id)
        .join(namespaces, namespaces.c.id == belongs.c.group_id)
        .where(namespaces.c.full_path_lower.in_([path.lower() for path in groups]), visible_groups(call.actor))
        .where(belongs.c.user_id == users.c.id)
        .correlate(users)
    )
    result: dict[str, Author] = {}
    addresses = sorted(mails)
    for start in range(0, len(addresses), BATCH):
        query = select(
            users.c.email_lower,
            users.c.username,
            member.correlate(users).exists().label("is_member"),
            (named.exists() if groups else false()).label("is_included"),
        ).where(users.c.email_lower.in_(addresses[start : start + BATCH]), users.c.confirmed_at.is_not(None))
        for row in call.conn.execute(query):
            result[row.email_lower] = Author(row.username, not row.is_member, bool(row.is_included))
    return result
