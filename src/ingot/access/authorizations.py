"""Updating the materialised rights: recomputed in the same transaction as the membership change.

Effective level = the highest of: direct membership, membership of every ancestor group, and for each share of the
project, of its group or of an ancestor: the lower of the share's level and the level in the invited group.
"""

from collections.abc import Collection
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Connection,
    Select,
    Table,
    case,
    delete,
    func,
    insert,
    literal,
    or_,
    select,
    union_all,
)

from ingot.access.levels import MINIMAL, OWNER
from ingot.access.tables import (
    group_authorizations,
    group_group_links,
    members,
    namespace_ancestors,
    namespaces,
    project_authorizations,
    project_group_links,
    projects,
)
from ingot.access.turns import take_turn
from ingot.kit.clock import today

BATCH = 500


def _live(table: Table) -> ColumnElement[bool]:
    return or_(table.c.expires_at.is_(None), table.c.expires_at > today())


def _lower(left: ColumnElement[int], right: ColumnElement[int]) -> ColumnElement[int]:
    return case((left < right, left), else_=right)


def _group_rows(group_ids: Collection[int]) -> CompoundSelect[Any]:
    """(user, group, level) of these groups, from memberships above and shares above."""
    above = namespace_ancestors.alias("above")
    inherited = (
        select(members.c.user_id, above.c.namespace_id.label("group_id"), members.c.access_level)
        .join_from(above, members, members.c.group_id == above.c.ancestor_id)
        .where(above.c.namespace_id.in_(group_ids), _live(members))
    )
    invited = namespace_ancestors.alias("invited")
    shared = (
        select(
            members.c.user_id,
            above.c.namespace_id.label("group_id"),
            _lower(members.c.access_level, group_group_links.c.access_level).label("access_level"),
        )
        .join_from(above, group_group_links, group_group_links.c.group_id == above.c.ancestor_id)
        .join(invited, invited.c.namespace_id == group_group_links.c.invited_group_id)
        .join(members, members.c.group_id == invited.c.ancestor_id)
        .where(above.c.namespace_id.in_(group_ids), _live(members), _live(group_group_links))
    )
    return union_all(inherited, shared)


def _project_rows(condition: ColumnElement[bool]) -> CompoundSelect[Any]:
    """(user, project, level) of the projects that meet the condition; group rights must be fresh."""
    direct = (
        select(members.c.user_id, members.c.project_id, members.c.access_level)
        .join_from(members, projects, projects.c.id == members.c.project_id)
        .where(condition, _live(members))
    )
    from_group = (
        select(group_authorizations.c.user_id, projects.c.id.label("project_id"), group_authorizations.c.access_level)
        .join_from(projects, group_authorizations, group_authorizations.c.group_id == projects.c.namespace_id)
        .where(condition)
    )
    personal = (
        select(namespaces.c.owner_id.label("user_id"), projects.c.id.label("project_id"), literal(OWNER))
        .join_from(projects, namespaces, namespaces.c.id == projects.c.namespace_id)
        .where(condition, namespaces.c.kind == "user", namespaces.c.owner_id.is_not(None))
    )
    invited = namespace_ancestors.alias("invited")
    shared = (
        select(
            members.c.user_id,
            project_group_links.c.project_id,
            _lower(members.c.access_level, project_group_links.c.access_level).label("access_level"),
        )
        .join_from(projects, project_group_links, project_group_links.c.project_id == projects.c.id)
        .join(invited, invited.c.namespace_id == project_group_links.c.group_id)
        .join(members, members.c.group_id == invited.c.ancestor_id)
        .where(condition, _live(members), _live(project_group_links))
    )
    return union_all(direct, from_group, personal, shared)


def _highest(rows: CompoundSelect[Any], column: str, above: int) -> Select[Any]:
    inner = rows.subquery()
    level = func.max(inner.c.access_level)
    return (
        select(inner.c.user_id, inner.c[column], level).group_by(inner.c.user_id, inner.c[column]).having(level > above)
    )


def refresh_projects(tx: Connection, project_ids: Collection[int]) -> None:
    """Recompute the rights on these projects."""
    ids = sorted(project_ids)
    if not ids:
        return
    take_turn(tx, exclusive=False)
    # Changes to the same project are serialised too.
    tx.execute(
        select(projects.c.id).where(projects.c.id.in_(ids)).order_by(projects.c.id).with_for_update(key_share=True)
    )
    _recompute_projects(tx, ids)


def _recompute_projects(tx: Connection, ids: list[int]) -> None:
    for start in range(0, len(ids), BATCH):
        part = ids[start : start + BATCH]
        tx.execute(delete(project_authorizations).where(project_authorizations.c.project_id.in_(part)))
        rows = _highest(_project_rows(projects.c.id.in_(part)), "project_id", above=MINIMAL)
        tx.execute(insert(project_authorizations).from_select(["user_id", "project_id", "access_level"], rows))


def refresh_groups(tx: Connection, group_ids: Collection[int]) -> None:
    """Recompute the rights on these groups, all below them, and all that was shared with them."""
    take_turn(tx, exclusive=True)
    affected = _below(tx, set(group_ids))
    # Groups and projects shared with one of these groups change with its members.
    linked = set(
        tx.execute(
            select(group_group_links.c.group_id).where(group_group_links.c.invited_group_id.in_(affected))
        ).scalars()
    )
    affected |= _below(tx, linked)
    ids = sorted(affected)
    for start in range(0, len(ids), BATCH):
        part = ids[start : start + BATCH]
        tx.execute(delete(group_authorizations).where(group_authorizations.c.group_id.in_(part)))
        rows = _highest(_group_rows(part), "group_id", above=0)
        tx.execute(insert(group_authorizations).from_select(["user_id", "group_id", "access_level"], rows))
    touched = set(tx.execute(select(projects.c.id).where(projects.c.namespace_id.in_(ids))).scalars())
    touched |= set(
        tx.execute(select(project_group_links.c.project_id).where(project_group_links.c.group_id.in_(ids))).scalars()
    )
    _recompute_projects(tx, sorted(touched))


def _below(tx: Connection, group_ids: set[int]) -> set[int]:
    if not group_ids:
        return set()
    values = tx.execute(
        select(namespace_ancestors.c.namespace_id).where(namespace_ancestors.c.ancestor_id.in_(group_ids))
    ).scalars()
    return set(values)


class Difference(NamedTuple):
    """A right that is stored without being given, or given without being stored."""

    column: str  # group_id | project_id
    place_id: int
    user_id: int
    level: int
    is_stored: bool


def differences(conn: Connection) -> list[Difference]:
    """Where the stored rights differ from freshly computed ones (`ingot doctor`)."""
    result = list[Difference]()
    everything = conn.execute(select(namespaces.c.id).where(namespaces.c.kind == "group")).scalars().all()
    for table, column, fresh in (
        (group_authorizations, "group_id", _highest(_group_rows(everything), "group_id", above=0)),
        (
            project_authorizations,
            "project_id",
            _highest(_project_rows(literal(value=True)), "project_id", above=MINIMAL),
        ),
    ):
        expected = {(row[0], row[1], row[2]) for row in conn.execute(fresh)}
        stored = {
            (row[0], row[1], row[2])
            for row in conn.execute(select(table.c.user_id, table.c[column], table.c.access_level))
        }
        for rows, is_stored in ((expected - stored, False), (stored - expected, True)):
            result += [Difference(column, place, user, level, is_stored) for user, place, level in sorted(rows)]
    return result
