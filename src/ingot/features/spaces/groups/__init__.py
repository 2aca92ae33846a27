"""Groups: a tree of namespaces for projects and people."""

from ingot.access.namespaces import find_namespace, may_create_project_in, may_import_into
from ingot.features.spaces.groups.commands.create import create_group
from ingot.features.spaces.groups.commands.delete import delete_now
from ingot.features.spaces.groups.entities import GroupDetail, GroupLocation
from ingot.features.spaces.groups.file_templates import file_template_projects
from ingot.features.spaces.groups.presenting import group_avatar_url, group_web_url, present_detail, present_locations
from ingot.features.spaces.groups.queries import by_search as search_groups
from ingot.features.spaces.groups.settings import GROUP_SETTINGS, PROTECTIONS, BranchProtection, GroupSettings

__all__ = [
    "GROUP_SETTINGS",
    "PROTECTIONS",
    "BranchProtection",
    "GroupDetail",
    "GroupLocation",
    "GroupSettings",
    "create_group",
    "delete_now",
    "file_template_projects",
    "find_namespace",
    "group_avatar_url",
    "group_web_url",
    "may_create_project_in",
    "may_import_into",
    "present_detail",
    "present_locations",
    "search_groups",
]
