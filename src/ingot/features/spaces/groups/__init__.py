"""Groups: a tree of namespaces for projects and people."""

from ingot.features.spaces.groups.commands.create import create_group
from ingot.features.spaces.groups.commands.edit import edit_group
from ingot.features.spaces.groups.entities import GroupDetail, GroupLocation
from ingot.features.spaces.groups.file_templates import file_template_projects
from ingot.features.spaces.groups.policy import may_create_group
from ingot.features.spaces.groups.presenting import group_avatar_url, group_web_url, present_detail, present_locations
from ingot.features.spaces.groups.queries import by_search as search_groups
from ingot.features.spaces.groups.settings import PROTECTIONS, BranchProtection, GroupSettings

__all__ = [
    "PROTECTIONS",
    "BranchProtection",
    "GroupDetail",
    "GroupLocation",
    "GroupSettings",
    "create_group",
    "edit_group",
    "file_template_projects",
    "group_avatar_url",
    "group_web_url",
    "may_create_group",
    "present_detail",
    "present_locations",
    "search_groups",
]
