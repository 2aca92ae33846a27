"""Creating and removing custom roles."""

from sqlalchemy import Connection, delete, insert, literal, select

from ingot.access.levels import ROLE_NAMES
from ingot.access.tables import members
from ingot.features.people.member_roles.params import NewRole
from ingot.features.people.member_roles.queries import find_role
from ingot.features.people.member_roles.rows import MemberRoleRow
from ingot.features.people.member_roles.tables import member_roles
from ingot.kit.clock import now
from ingot.kit.errors import ApiError, Invalid, NotFound
from ingot.kit.letter_case import lowered


class RoleInUse(ApiError):
    """Role is assigned to one or more group members. Remove role from all group members, then delete role."""

    status = 400


def create_role(tx: Connection, group_id: int | None, options: NewRole) -> MemberRoleRow:
    """A new role; names are unique within the group or instance."""
    name = (options.name or "").strip() or f"{ROLE_NAMES[options.base_access_level]} - custom"
    taken = select(literal(1)).where(
        member_roles.c.group_id.is_not_distinct_from(group_id), lowered(member_roles.c.name, name) == name.lower()
    )
    if tx.execute(taken).first() is not None:
        raise Invalid({"name": ["has already been taken"]})
    moment = now()
    return tx.execute(
        insert(member_roles)
        .values(
            group_id=group_id,
            name=name,
            description=options.description,
            base_access_level=options.base_access_level,
            permissions=options.permissions(),
            created_at=moment,
            updated_at=moment,
        )
        .returning(*member_roles.c)
    ).one()


def delete_role(tx: Connection, group_id: int | None, role_id: int) -> None:
    """Remove a role that no member has."""
    if find_role(tx, group_id, role_id) is None:
        raise NotFound("Member Role")
    if tx.execute(select(literal(1)).where(members.c.member_role_id == role_id).limit(1)).first() is not None:
        raise RoleInUse
    tx.execute(delete(member_roles).where(member_roles.c.id == role_id))
