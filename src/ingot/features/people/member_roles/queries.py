"""Reading custom roles."""

from collections.abc import Iterable, Sequence

from sqlalchemy import Connection, or_, select

from ingot.access.tables import namespace_ancestors
from ingot.features.people.member_roles.rows import MemberRoleRow
from ingot.features.people.member_roles.tables import member_roles


def list_roles(conn: Connection, group_id: int | None) -> Sequence[MemberRoleRow]:
    """The roles of a group, or of the instance."""
    return conn.execute(
        select(member_roles).where(member_roles.c.group_id.is_not_distinct_from(group_id)).order_by(member_roles.c.id)
    ).all()


def find_role(conn: Connection, group_id: int | None, role_id: int) -> MemberRoleRow | None:
    """One role of a group, or of the instance."""
    return conn.execute(
        select(member_roles).where(member_roles.c.id == role_id, member_roles.c.group_id.is_not_distinct_from(group_id))
    ).one_or_none()


def find_usable_role(conn: Connection, group_id: int, role_id: int) -> MemberRoleRow | None:
    """A role that members of this group may have: one of the instance, or of the group's top-level group."""
    above = select(namespace_ancestors.c.ancestor_id).where(namespace_ancestors.c.namespace_id == group_id)
    return conn.execute(
        select(member_roles).where(
            member_roles.c.id == role_id,
            or_(member_roles.c.group_id.is_(None), member_roles.c.group_id.in_(above)),
        )
    ).one_or_none()


def roles_by_id(conn: Connection, ids: Iterable[int | None]) -> dict[int, MemberRoleRow]:
    """The roles of a page of members, in one query; none where nobody has one."""
    role_ids = {role_id for role_id in ids if role_id is not None}
    if not role_ids:
        return {}
    return {row.id: row for row in conn.execute(select(member_roles).where(member_roles.c.id.in_(role_ids)))}
