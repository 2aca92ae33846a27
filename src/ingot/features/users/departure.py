"""A user leaves: what they wrote goes to the ghost (or away with them), what they own is marked for removal."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Column, Connection, Table, UniqueConstraint, delete, func, select, update

from ingot.access.authorizations import refresh_groups
from ingot.access.levels import OWNER
from ingot.access.tables import members, namespaces, projects
from ingot.features.award_emoji import recount_votes, voted_on
from ingot.features.issues import issues, recount_open
from ingot.features.notes import commented_on, forget, recount, restart_threads, threads_started_by
from ingot.identity.tables import users
from ingot.kit.clock import now
from ingot.kit.db import metadata
from ingot.kit.errors import Conflict

# Columns that hold a user's id without saying so by a foreign key; others of that kind say `info={"person": True}`.
PEOPLE = frozenset({"author_id", "creator_id", "user_id", "assignee_id", "reviewer_id", "auto_merge_user_id"})


def delete_user(tx: Connection, row: Any, *, hard: bool) -> None:
    """Remove the user for good. `hard`: with everything they wrote and the groups that only they own."""
    alone = sole_groups(tx, row.id)
    if alone and not hard:
        raise Conflict("User cannot be removed while is the sole-owner of a group")
    _abandon_namespace(tx, row)
    # Projects and groups know users; that these are needed here the other way round is settled at run time.
    from ingot.features.groups import delete_now

    for group_id in alone:
        delete_now(tx, group_id)
    voted = voted_on(tx, row.id)
    if hard:
        _delete_writings(tx, row.id)
    groups = tx.execute(
        select(members.c.group_id).where(members.c.user_id == row.id, members.c.group_id.is_not(None))
    ).scalars()
    affected = list(groups)
    heir = ghost(tx)
    for table, column in people_columns():
        _hand_over(tx, table, column, row.id, heir)
    tx.execute(delete(users).where(users.c.id == row.id))
    for kind, number in voted:
        recount_votes(tx, kind, number)
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
    """The user who keeps what departed people wrote; made when first needed."""
    found = tx.execute(select(users.c.id).where(users.c.kind == "ghost")).scalar_one_or_none()
    if found is not None:
        return int(found)
    from ingot.features.users.commands import create_user

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


def _abandon_namespace(tx: Connection, row: Any) -> None:
    """Free the name at once; the projects inside disappear now and are cleaned up in the background."""
    space = tx.execute(
        select(namespaces.c.id).where(namespaces.c.owner_id == row.id, namespaces.c.kind == "user")
    ).scalar_one_or_none()
    if space is None:
        return
    inside = tx.execute(select(projects.c.id, projects.c.path).where(projects.c.namespace_id == space)).all()
    if not inside:
        tx.execute(delete(namespaces).where(namespaces.c.id == space))
        return
    from ingot.features.projects import delete_soon

    path = f"deleted-user-{row.id}"
    for project in inside:
        delete_soon(tx, project.id)
        tx.execute(
            update(projects)
            .where(projects.c.id == project.id)
            .values(
                pending_delete=True,
                full_path=f"{path}/{project.path}",
                full_path_lower=f"{path}/{project.path}".lower(),
            )
        )
    tx.execute(
        update(namespaces)
        .where(namespaces.c.id == space)
        .values(owner_id=None, path=path, full_path=path, full_path_lower=path, pending_delete=True, updated_at=now())
    )


def _delete_writings(tx: Connection, user_id: int) -> None:
    commented, threads = commented_on(tx, user_id), threads_started_by(tx, user_id)
    for kind, name in (("Issue", "issues"), ("MergeRequest", "merge_requests")):
        things = metadata.tables[name]
        forget(tx, kind, list(tx.execute(select(things.c.id).where(things.c.author_id == user_id)).scalars()))
    opened = select(issues.c.project_id).where(issues.c.author_id == user_id, issues.c.state == "opened").distinct()
    homes = list(tx.execute(opened).scalars())
    for table in reversed(metadata.sorted_tables):
        if "author_id" in table.c:
            tx.execute(delete(table).where(table.c.author_id == user_id))
    recount_open(tx, homes)
    restart_threads(tx, threads)
    for kind, number in commented:
        recount(tx, kind, number)


def people_columns() -> Iterator[tuple[Table, Column[Any]]]:
    """Every column of every feature that names a user and does not go with the user by itself."""
    for table in metadata.sorted_tables:
        for column in table.c:
            keys = [key for key in column.foreign_keys if key.target_fullname == "users.id"]
            if any((key.ondelete or "").upper() in ("CASCADE", "SET NULL") for key in keys):
                continue
            if keys or (_is_person(column) and not column.foreign_keys):
                yield table, column


def _is_person(column: Column[Any]) -> bool:
    return column.name in PEOPLE or column.name.endswith("_by_id") or bool(column.info.get("person"))


def _hand_over(tx: Connection, table: Table, column: Column[Any], user_id: int, heir: int) -> None:
    if _is_unique(table, column):
        tx.execute(delete(table).where(column == user_id))  # one per person: the ghost can have only one of them
    else:
        tx.execute(update(table).where(column == user_id).values({column.name: heir}))


def _is_unique(table: Table, column: Column[Any]) -> bool:
    if column.primary_key or column.unique:
        return True
    together = [tuple(one.columns) for one in table.constraints if isinstance(one, UniqueConstraint)]
    together += [tuple(index.columns) for index in table.indexes if index.unique]
    return any(column in group for group in together)
