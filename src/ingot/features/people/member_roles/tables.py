"""Custom roles; the table lives beside the memberships that they belong to."""

from ingot.access.tables import member_roles

__all__ = ["member_roles"]
