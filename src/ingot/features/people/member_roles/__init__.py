"""Custom member roles of a top-level group or of the instance: a base role with a name and permissions."""

from ingot.features.people.member_roles.entities import MemberRole, present
from ingot.features.people.member_roles.queries import find_usable_role, roles_by_id

__all__ = ["MemberRole", "find_usable_role", "present", "roles_by_id"]
