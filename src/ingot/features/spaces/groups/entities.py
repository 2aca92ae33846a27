"""What is shown of a group: the form of lists, the detail, and the short form of choices."""

from datetime import date, datetime

from ingot.features.people.custom_attributes import CustomAttribute
from ingot.features.people.saml import SamlGroupLink
from ingot.features.spaces.groups.settings import BranchProtection
from ingot.features.spaces.projects import ProjectFull
from ingot.kit.entity import UNSET, Entity, UnsetType


class GroupStatistics(Entity, kw_only=True):
    """Sizes over the projects of a group, in bytes."""

    storage_size: int
    repository_size: int
    wiki_size: int
    lfs_objects_size: int
    job_artifacts_size: int
    pipeline_artifacts_size: int
    packages_size: int
    snippets_size: int
    uploads_size: int


class Group(Entity, kw_only=True):
    """A group in a list."""

    id: int
    web_url: str
    name: str
    path: str
    description: str
    visibility: str
    share_with_group_lock: bool
    require_two_factor_authentication: bool
    two_factor_grace_period: int
    project_creation_level: str
    auto_devops_enabled: bool | None
    subgroup_creation_level: str
    emails_disabled: bool
    emails_enabled: bool
    mentions_disabled: bool | None
    lfs_enabled: bool
    math_rendering_limits_enabled: bool
    lock_math_rendering_limits_enabled: bool
    default_branch: str | None
    default_branch_protection: int
    default_branch_protection_defaults: BranchProtection
    avatar_url: str | None
    request_access_enabled: bool
    full_name: str
    full_path: str
    created_at: datetime
    parent_id: int | None
    organization_id: int
    shared_runners_setting: str
    max_artifacts_size: int | None
    custom_attributes: list[CustomAttribute] | UnsetType = UNSET
    statistics: GroupStatistics | UnsetType = UNSET
    ldap_cn: str | UnsetType | None = UNSET
    ldap_access: int | UnsetType | None = UNSET
    marked_for_deletion_on: date | UnsetType | None = UNSET
    wiki_access_level: str | UnsetType = UNSET


class SharedWithGroup(Entity, kw_only=True):
    """A group that this one is shared with."""

    group_id: int
    group_name: str
    group_full_path: str
    group_access_level: int
    expires_at: date | None


class GroupDetail(Group, kw_only=True):
    """A single group."""

    shared_with_groups: list[SharedWithGroup]
    runners_token: str | UnsetType = UNSET
    enabled_git_access_protocol: str | UnsetType = UNSET
    prevent_sharing_groups_outside_hierarchy: bool | UnsetType = UNSET
    projects: list[ProjectFull] | UnsetType = UNSET
    shared_projects: list[ProjectFull] | UnsetType = UNSET
    shared_runners_minutes_limit: int | None
    extra_shared_runners_minutes_limit: int | None
    prevent_forking_outside_group: bool | UnsetType | None = UNSET
    membership_lock: bool | UnsetType = UNSET
    ip_restriction_ranges: str | UnsetType | None = UNSET
    saml_group_links: list[SamlGroupLink] | UnsetType = UNSET


class GroupLocation(Entity, kw_only=True):
    """A group as a place to move something to."""

    id: int
    web_url: str
    name: str
    avatar_url: str | None
    full_name: str
    full_path: str
