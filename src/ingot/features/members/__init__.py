"""Members of groups and projects: roles, expiry, inherited and effective levels."""

from ingot.features.members.commands import AlreadyMember, add_member
from ingot.features.members.entities import Member
from ingot.features.members.source import Source, group_source, project_source

__all__ = ["AlreadyMember", "Member", "Source", "add_member", "group_source", "project_source"]
