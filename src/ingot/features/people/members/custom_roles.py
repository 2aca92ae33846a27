"""Custom roles of memberships, and groups that require a SAML identity."""

from sqlalchemy import Connection

from ingot.access.call import Call
from ingot.access.policy import OWN_GROUP
from ingot.features.people.member_roles import find_usable_role
from ingot.features.people.members.params import EditMember
from ingot.features.people.members.rows import MemberRow
from ingot.features.people.members.source import Source
from ingot.features.people.saml import needs_identity
from ingot.kit.errors import Forbidden, Invalid
from ingot.kit.services import Services


def chosen_role(tx: Connection, call: Call, source: Source, role_id: int | None, access_level: int) -> int | None:
    """The requested custom role; ignored where the tier has none."""
    if role_id is None or not call.services.settings.has_tier("ultimate"):
        return None
    if call.group_or_none is not None and not OWN_GROUP.allows(call.actor, call.group):
        raise Forbidden  # managers by a custom role can give plain roles only
    role = find_usable_role(tx, source.group_id, role_id)
    if role is None:
        raise Invalid({"member_role": ["must belong to the top-level group or to the instance"]})
    if role.base_access_level != access_level:
        raise Invalid({"member_role_id": ["the custom role's base access level does not match the access level"]})
    return int(role.id)


def changed_role(tx: Connection, call: Call[EditMember], source: Source, member: MemberRow | None) -> int | None:
    """The custom role after an edit: as requested, else kept while the level stays."""
    options = call.params
    if "member_role_id" in options.sent:
        return chosen_role(tx, call, source, options.member_role_id, options.access_level)
    return member.member_role_id if member is not None and member.access_level == options.access_level else None


def lacks_saml_identity(conn: Connection, services: Services, source: Source, user_id: int) -> bool:
    """The group requires sign-in through its provider, and this user has no identity there."""
    return services.settings.has_tier("premium") and needs_identity(conn, source.group_id, user_id)


def require_saml_identity(tx: Connection, call: Call, source: Source, user_id: int) -> None:
    """Refuse users without an identity at the group's provider, where it is required."""
    if lacks_saml_identity(tx, call.services, source, user_id):
        raise Invalid({"user": ["is not linked to a SAML account"]})
