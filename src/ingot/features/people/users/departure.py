"""Removing a user: what they wrote goes to the ghost user (or is deleted), what they own is removed.

Projects in their namespace and groups that only they own are removed by those features (`during_departure`).
"""

from sqlalchemy import Connection, delete, func, select, update

from ingot.access.authorizations import refresh_groups
from ingot.access.levels import OWNER
from ingot.access.tables import members, namespaces
from ingot.access.turns import take_turn
from ingot.features.people.users.commands import create_user
from ingot.identity.departures import Leaving, departing, marked_columns, writings
from ingot.identity.tables import users
from ingot.kit.changes import Change, report_change_now
from ingot.kit.errors import Conflict


def delete_user(tx: Connection, user_id: int, *, hard: bool) -> None:
    """Remove the user permanently. `hard`: with everything they wrote and the groups that only they own."""
    take_turn(tx, exclusive=True)
    if not hard and sole_groups(tx, user_id):
        raise Conflict("User cannot be removed while is the sole-owner of a group")
    report_change_now(tx, Change("user", "destroy", user_id))
    groups = tx.execute(
        select(members.c.group_id).where(members.c.user_id == user_id, members.c.group_id.is_not(None))
    ).scalars()
    affected = list(groups)
    with departing(tx, Leaving(user_id, hard)):
        if hard:
            for table, column in writings():
                tx.execute(delete(table).where(column == user_id))
        ghost_id = ghost(tx)
        for table, column in marked_columns():
            tx.execute(update(table).where(column == user_id).values({column.name: ghost_id}))
        tx.execute(delete(users).where(users.c.id == user_id))
    refresh_groups(tx, affected)


def sole_groups(conn: Connection, user_id: int) -> list[int]:
    """Groups whose only direct owner is this user."""
    others = members.alias("others")
    return list(
        conn.execute(
            select(members.c.group_id)
            .join_from(members, namespaces, namespaces.c.id == members.c.group_id)
            .where(
                members.c.user_id == user_id,
                members.c.access_level == OWNER,
                namespaces.c.pending_delete.is_(False),
                ~select(func.count())
                .where(
                    others.c.group_id == members.c.group_id,
                    others.c.access_level == OWNER,
                    others.c.user_id != user_id,
                )
                .scalar_subquery()
                .op(">")(0),
            )
        ).scalars()
    )


def ghost(tx: Connection) -> int:
    """The ghost user, who gets what removed users wrote; created when first needed."""
    user_id = tx.execute(select(users.c.id).where(users.c.kind == "ghost")).scalar_one_or_none()
    if user_id is not None:
        return int(user_id)
    name = "ghost"
    number = 0
    while tx.execute(select(namespaces.c.id).where(namespaces.c.full_path_lower == name)).first() is not None:
        number += 1
        name = f"ghost{number}"
    return create_user(
        tx,
        username=name,
        name="Ghost User",
        email=f"{name}@users.noreply.localhost",
        kind="ghost",
        projects_limit=0,
        can_create_group=False,
        profile={"bio": "This is a “Ghost User”, created to hold what removed users have written."},
    )
