"""Reading memberships: direct ones, and the effective one of each user over direct, inherited and invited."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Connection,
    Select,
    Table,
    case,
    func,
    literal,
    or_,
    select,
    true,
    union_all,
)

from ingot.access.levels import OWNER
from ingot.access.tables import group_group_links, members, namespace_ancestors, namespaces, project_group_links
from ingot.access.visibility import visible_groups
from ingot.features.people.members.params import ListAllMembers, ListMembers
from ingot.features.people.members.rows import InheritedMemberRow, MemberRow
from ingot.features.people.members.source import Source
from ingot.features.people.users import BASIC_COLUMNS
from ingot.identity.tables import service_accounts, users
from ingot.kit.actor import Actor
from ingot.kit.clock import today
from ingot.kit.errors import RecordNotFound

USER_COLUMNS = (*BASIC_COLUMNS, users.c.email, users.c.kind)


def is_live(table: Table) -> ColumnElement[bool]:
    """The membership or share has not expired."""
    return or_(table.c.expires_at.is_(None), table.c.expires_at > today())


def direct_members(source: Source) -> Select[Any]:
    """Members of exactly this group or project, in order of joining."""
    return (
        select(
            *USER_COLUMNS,
            members.c.id.label("member_id"),
            members.c.access_level,
            members.c.member_role_id,
            members.c.created_at.label("joined_at"),
            members.c.created_by_id,
            members.c.expires_at,
            members.c.updated_at.label("changed_at"),
        )
        .join_from(members, users, users.c.id == members.c.user_id)
        .where(source.direct, is_live(members))
        .order_by(members.c.id)
    )


def all_members(source: Source, reader: Actor | None = None) -> Select[Any]:
    """One row per user who has a role here: the highest, and among equals the nearest.

    `reader`: a non-member, for whom memberships through invited groups count only if they may see the group.
    """
    everything = _memberships(source, reader).subquery("everything")
    rank = (
        func.row_number()
        .over(
            partition_by=everything.c.user_id,
            order_by=(everything.c.access_level.desc(), everything.c.distance, everything.c.member_id),
        )
        .label("rank")
    )
    ranked = select(everything, rank).subquery("ranked")
    return (
        select(
            *USER_COLUMNS,
            ranked.c.member_id,
            ranked.c.access_level,
            ranked.c.member_role_id,
            ranked.c.created_at.label("joined_at"),
            ranked.c.created_by_id,
            ranked.c.expires_at,
            ranked.c.updated_at.label("changed_at"),
        )
        .join_from(ranked, users, users.c.id == ranked.c.user_id)
        .where(ranked.c.rank == 1)
        .order_by(ranked.c.member_id, users.c.id)
    )


def _columns(level: ColumnElement[int], distance: ColumnElement[int]) -> tuple[Any, ...]:
    return (
        members.c.id.label("member_id"),
        members.c.user_id,
        level.label("access_level"),
        members.c.member_role_id,
        members.c.created_at,
        members.c.updated_at,
        members.c.created_by_id,
        members.c.expires_at,
        distance.label("distance"),
    )


def _seen_by(reader: Actor | None, invited_group_id: ColumnElement[int]) -> ColumnElement[bool]:
    """Condition on a share: the reader may see the invited group."""
    if reader is None:
        return true()
    return invited_group_id.in_(select(namespaces.c.id).where(visible_groups(reader)))


def _memberships(source: Source, reader: Actor | None) -> CompoundSelect[Any]:
    above = namespace_ancestors.alias("above")
    inherited = (
        select(*_columns(members.c.access_level, above.c.depth + (0 if source.is_group else 1)))
        .join_from(above, members, members.c.group_id == above.c.ancestor_id)
        .where(above.c.namespace_id == source.group_id, is_live(members))
    )
    invited = namespace_ancestors.alias("invited")
    by_group = (
        select(*_columns(_lower(members.c.access_level, group_group_links.c.access_level), literal(100)))
        .join_from(above, group_group_links, group_group_links.c.group_id == above.c.ancestor_id)
        .join(invited, invited.c.namespace_id == group_group_links.c.invited_group_id)
        .join(members, members.c.group_id == invited.c.ancestor_id)
        .where(above.c.namespace_id == source.group_id, is_live(members), is_live(group_group_links))
        .where(_seen_by(reader, group_group_links.c.invited_group_id))
    )
    if source.is_group:
        return union_all(inherited, by_group)
    own = select(*_columns(members.c.access_level, literal(0))).where(source.direct, is_live(members))
    by_project = (
        select(*_columns(_lower(members.c.access_level, project_group_links.c.access_level), literal(100)))
        .join_from(project_group_links, invited, invited.c.namespace_id == project_group_links.c.group_id)
        .join(members, members.c.group_id == invited.c.ancestor_id)
        .where(project_group_links.c.project_id == source.id, is_live(members), is_live(project_group_links))
        .where(_seen_by(reader, project_group_links.c.group_id))
    )
    return union_all(own, inherited, by_group, by_project)


def _lower(left: ColumnElement[int], right: ColumnElement[int]) -> ColumnElement[int]:
    return case((left < right, left), else_=right)


def filtered(statement: Select[Any], options: ListMembers | ListAllMembers) -> Select[Any]:
    """The filters that both lists share."""
    return without_users(by_users(by_query(statement, options.query), options.user_ids), options.skip_users)


def by_query(statement: Select[Any], text: str | None) -> Select[Any]:
    """Part of the name or user name, or the whole e-mail address."""
    if not text:
        return statement
    search = text.lower()
    return statement.where(
        or_(
            users.c.name_lower.contains(search, autoescape=True),
            users.c.username_lower.contains(search, autoescape=True),
            users.c.email_lower == search,
        )
    )


def by_users(statement: Select[Any], user_ids: list[int]) -> Select[Any]:
    """Limit the list to these users."""
    return statement.where(users.c.id.in_(user_ids)) if user_ids else statement


def without_users(statement: Select[Any], skipped: list[int]) -> Select[Any]:
    """All but these users."""
    return statement.where(users.c.id.not_in(skipped)) if skipped else statement


def find_member(conn: Connection, source: Source, user_id: int) -> MemberRow | None:
    """The direct membership of a user as a row, or None."""
    return conn.execute(direct_members(source).where(users.c.id == user_id)).one_or_none()


def find_effective_member(
    conn: Connection, source: Source, user_id: int, reader: Actor | None = None
) -> MemberRow | None:
    """The highest membership of a user here, or None; `reader` as in `all_members`."""
    return conn.execute(all_members(source, reader).where(users.c.id == user_id)).one_or_none()


def get_effective_member(conn: Connection, source: Source, user_id: int) -> MemberRow:
    """As `find_effective_member`, raising 404."""
    row = find_effective_member(conn, source, user_id)
    if row is None:
        raise RecordNotFound
    return row


def find_inherited(conn: Connection, source: Source, user_id: int) -> InheritedMemberRow | None:
    """The highest membership (access_level, name of the group) of a user in the groups above, or None."""
    above = namespace_ancestors
    least = 1 if source.is_group else 0
    return conn.execute(
        select(members.c.access_level, namespaces.c.name)
        .join_from(above, members, members.c.group_id == above.c.ancestor_id)
        .join(namespaces, namespaces.c.id == above.c.ancestor_id)
        .where(
            above.c.namespace_id == source.group_id,
            above.c.depth >= least,
            members.c.user_id == user_id,
            is_live(members),
        )
        .order_by(members.c.access_level.desc(), above.c.depth)
        .limit(1)
    ).one_or_none()


def groups_above(conn: Connection, source: Source, user_ids: Sequence[int]) -> dict[int, str]:
    """By user: the path of the group above that gives the highest role here, the nearest of equals."""
    tree = namespace_ancestors
    query = (
        select(members.c.user_id, namespaces.c.full_path)
        .join_from(members, tree, tree.c.ancestor_id == members.c.group_id)
        .join(namespaces, namespaces.c.id == members.c.group_id)
        .where(tree.c.namespace_id == source.group_id, members.c.user_id.in_(user_ids), is_live(members))
        .order_by(members.c.access_level, tree.c.depth.desc())
    )
    return {row.user_id: row.full_path for row in conn.execute(query)} if user_ids else {}


def has_other_owner(conn: Connection, group_id: int, user_id: int) -> bool:
    """Whether another user owns the group, directly or by inheritance."""
    above = namespace_ancestors
    query = (
        select(literal(1))
        .select_from(above)
        .join(members, members.c.group_id == above.c.ancestor_id)
        .join(users, users.c.id == members.c.user_id)
        .where(
            above.c.namespace_id == group_id,
            members.c.access_level == 50,
            members.c.user_id != user_id,
            users.c.kind == "human",
            is_live(members),
        )
    )
    return conn.execute(query.limit(1)).first() is not None


def is_personal_owner(conn: Connection, source: Source, user_id: int) -> bool:
    """The project is in the user's own namespace, so its owner cannot be removed."""
    if source.is_group:
        return False
    owner = select(namespaces.c.owner_id).where(namespaces.c.id == source.group_id)
    return bool(conn.execute(owner).scalar_one() == user_id)


def is_account_of_elsewhere(conn: Connection, source: Source, user_id: int) -> bool:
    """The user is a service account of a group that this one is not in."""
    home = service_accounts.c.group_id
    above = select(namespace_ancestors.c.ancestor_id).where(namespace_ancestors.c.namespace_id == source.group_id)
    query = select(home).where(service_accounts.c.user_id == user_id, home.is_not(None), home.not_in(above))
    return conn.execute(query).first() is not None


def fixed_members(conn: Connection, source: Source, levels: Mapping[int, int]) -> set[int]:
    """Of the direct members with these levels, whose role can neither be taken nor lowered: the last owner of a
    group, and the owner of a personal project."""
    if source.is_group:
        owners = [user_id for user_id, level in levels.items() if level == OWNER]
        return set(owners) if len(owners) == 1 and not has_other_owner(conn, source.id, owners[0]) else set()
    return {user_id for user_id in levels if is_personal_owner(conn, source, user_id)}


def is_membership_locked(conn: Connection, source: Source) -> bool:
    """A parent group has locked the memberships of its projects."""
    above = namespace_ancestors
    rows = conn.execute(
        select(namespaces.c.settings)
        .join(above, above.c.ancestor_id == namespaces.c.id)
        .where(above.c.namespace_id == source.group_id)
    )
    return any(row.settings.get("membership_lock") for row in rows)
