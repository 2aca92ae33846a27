"""Custom member roles of a top-level group or of the instance: a base role with a name and permissions."""

from ingot.features.member_roles.queries import find_usable_role
from ingot.features.member_roles.routes import routes

__all__ = ["find_usable_role", "routes"]
