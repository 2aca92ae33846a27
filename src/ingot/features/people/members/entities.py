"""Members on the wire: the user with the role."""

from collections.abc import Sequence
from datetime import date, datetime

from ingot.access.call import Call
from ingot.access.levels import OWNER
from ingot.features.people.member_roles import MemberRole, MemberRoleRow, roles_by_id
from ingot.features.people.member_roles import present as present_role
from ingot.features.people.members.rows import MemberRow
from ingot.features.people.saml import identities_of_members, scim_identities_of_members
from ingot.features.people.users import ScimIdentity, UserBasic, basic_fields, users_by_id
from ingot.kit.entity import UNSET, Entity, UnsetType, wire


class MemberIdentity(Entity):
    """A member's name at the group's SAML provider."""

    extern_uid: str
    provider: str
    saml_provider_id: int


class Member(UserBasic, kw_only=True):
    """A user in a group or project."""

    access_level: int
    created_at: datetime
    created_by: UserBasic | UnsetType = UNSET
    expires_at: date | None
    group_saml_identity: MemberIdentity | UnsetType | None = UNSET
    group_scim_identity: ScimIdentity | UnsetType | None = UNSET
    email: str | UnsetType = UNSET
    is_using_seat: bool | UnsetType = UNSET
    membership_state: str
    member_role: MemberRole | UnsetType = UNSET


MOST_AT_ONCE = 100


class Outcome(Entity, kw_only=True):
    """The answer when several users are added at once."""

    status: str
    message: dict[str, str] | str | UnsetType = UNSET


TOO_MANY = Outcome(status="error", message=f"Too many users specified (limit is {MOST_AT_ONCE})")


def present(call: Call, rows: Sequence[MemberRow]) -> list[Member]:
    """A page of members; only administrators see e-mail addresses."""
    inviters = users_by_id(call.conn, [row.created_by_id for row in rows], call.base_url)
    with_seats = bool(getattr(call.params, "show_seat_info", False))
    roles = roles_by_id(call.conn, [row.member_role_id for row in rows])
    identities = _saml_identities(call, rows)
    remaining = None if identities is None else _scim_identities(call, rows)
    return [
        Member(
            **basic_fields(row, call.base_url),
            access_level=row.access_level,
            created_at=wire(row.joined_at),
            created_by=inviters.get(row.created_by_id or 0, UNSET),
            expires_at=row.expires_at,
            group_saml_identity=UNSET if identities is None else identities.get(row.id),
            group_scim_identity=UNSET if remaining is None else remaining.get(row.id),
            email=row.email if call.actor.is_admin else UNSET,
            is_using_seat=takes_seat(row) if with_seats else UNSET,
            membership_state="active",
            member_role=_custom_role(row, roles),
        )
        for row in rows
    ]


def takes_seat(row: MemberRow) -> bool:
    """Active people take a seat; bots and those with minimal access do not."""
    return bool(row.state == "active" and row.kind == "human" and row.access_level > 5)


def _custom_role(row: MemberRow, roles: dict[int, MemberRoleRow]) -> MemberRole | UnsetType:
    """The custom role; none where a share lowers the level."""
    role = roles.get(row.member_role_id or 0)
    return present_role(role) if role is not None and role.base_access_level == row.access_level else UNSET


def _saml_identities(call: Call, rows: Sequence[MemberRow]) -> dict[int, MemberIdentity] | None:
    """For owners of a group with a SAML provider; None for everybody else."""
    if call.group_or_none is None or not (call.actor.is_admin or call.group.level >= OWNER):
        return None
    result = identities_of_members(call.conn, call.group.id, [row.id for row in rows])
    if result is None:
        return None
    return {
        user_id: MemberIdentity(extern_uid=row.extern_uid, provider=row.provider, saml_provider_id=row.saml_provider_id)
        for user_id, row in result.items()
    }


def _scim_identities(call: Call, rows: Sequence[MemberRow]) -> dict[int, ScimIdentity]:
    result = scim_identities_of_members(call.conn, call.group.id, [row.id for row in rows])
    return {
        user_id: ScimIdentity(extern_uid=row.extern_uid, group_id=row.group_id, active=row.active)
        for user_id, row in result.items()
    }
