"""Custom member roles of a top-level group or of the instance: a base role with a name and permissions."""

from ingot.features.people.member_roles.entities import MemberRole, present
from ingot.features.people.member_roles.queries import find_usable_role, roles_by_id
from ingot.features.people.member_roles.rows import MemberRoleRow

__all__ = ["MemberRole", "MemberRoleRow", "find_usable_role", "present", "roles_by_id"]
