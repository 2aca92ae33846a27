"""Members of groups and projects: roles, expiry, inherited and effective levels."""

from ingot.features.people.members.commands import (
    AlreadyMember,
    add_member,
    leave_hierarchy,
    reaches,
    require_manager,
    require_reach,
)
from ingot.features.people.members.custom_roles import chosen_role, lacks_saml_identity, require_saml_identity
from ingot.features.people.members.entities import MOST_AT_ONCE, TOO_MANY, Member, Outcome
from ingot.features.people.members.entities import present as present_members
from ingot.features.people.members.leaving import when_unassigned
from ingot.features.people.members.policy import MANAGE_GROUP_MEMBERS, MANAGE_PROJECT_MEMBERS, require_unlocked
from ingot.features.people.members.queries import (
    fixed_members,
    get_effective_member,
    groups_above,
    has_other_owner,
    is_membership_locked,
)
from ingot.features.people.members.source import Source, project_source, source_of

__all__ = [
    "MANAGE_GROUP_MEMBERS",
    "MANAGE_PROJECT_MEMBERS",
    "MOST_AT_ONCE",
    "TOO_MANY",
    "AlreadyMember",
    "Member",
    "Outcome",
    "Source",
    "add_member",
    "chosen_role",
    "fixed_members",
    "get_effective_member",
    "groups_above",
    "has_other_owner",
    "is_membership_locked",
    "lacks_saml_identity",
    "leave_hierarchy",
    "present_members",
    "project_source",
    "reaches",
    "require_manager",
    "require_reach",
    "require_saml_identity",
    "require_unlocked",
    "source_of",
    "when_unassigned",
]
