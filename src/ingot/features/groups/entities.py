"""What is shown of a group: the form of lists and the detail."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from ingot.access.levels import OWNER, Visibility
from ingot.access.namespaces import CREATION_LEVELS
from ingot.features.groups.settings import PROTECTIONS, BranchProtection, GroupSettings
from ingot.instance import application_settings
from ingot.kit.call import Call
from ingot.kit.entity import UNSET, Entity, UnsetType, wire


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
    ldap_cn: str | None
    ldap_access: int | None
    marked_for_deletion_on: date | None
    wiki_access_level: str


class GroupDetail(Group, kw_only=True):
    """A single group."""

    runners_token: str | UnsetType = UNSET
    enabled_git_access_protocol: str | UnsetType = UNSET
    prevent_sharing_groups_outside_hierarchy: bool | UnsetType = UNSET
    shared_runners_minutes_limit: int | None
    extra_shared_runners_minutes_limit: int | None
    prevent_forking_outside_group: bool | None
    membership_lock: bool
    ip_restriction_ranges: str | None


def group_avatar_url(row: Any, base_url: str) -> str | None:
    """The address of the uploaded picture."""
    if not row.avatar:
        return None
    return f"{base_url}/uploads/-/system/group/avatar/{row.id}/{row.avatar.rsplit('/', 1)[-1]}"


def group_web_url(full_path: str, base_url: str) -> str:
    """The group's page."""
    return f"{base_url}/groups/{full_path}"


def _fields(row: Any, settings: GroupSettings, usual: dict[str, Any], base_url: str) -> dict[str, Any]:
    protection = settings.default_branch_protection
    level = usual["default_branch_protection"] if protection is None else protection
    return {
        "id": row.id,
        "web_url": group_web_url(row.full_path, base_url),
        "name": row.name,
        "path": row.path,
        "description": row.description,
        "visibility": Visibility(row.visibility).word,
        "share_with_group_lock": settings.share_with_group_lock,
        "require_two_factor_authentication": settings.require_two_factor_authentication,
        "two_factor_grace_period": settings.two_factor_grace_period,
        "project_creation_level": settings.project_creation_level or CREATION_LEVELS[usual["default_project_creation"]],
        "auto_devops_enabled": settings.auto_devops_enabled,
        "subgroup_creation_level": settings.subgroup_creation_level,
        "emails_disabled": not settings.emails_enabled,
        "emails_enabled": settings.emails_enabled,
        "mentions_disabled": settings.mentions_disabled,
        "lfs_enabled": settings.lfs_enabled,
        "math_rendering_limits_enabled": settings.math_rendering_limits_enabled,
        "lock_math_rendering_limits_enabled": settings.lock_math_rendering_limits_enabled,
        "default_branch": settings.default_branch,
        "default_branch_protection": level,
        "default_branch_protection_defaults": settings.default_branch_protection_defaults or PROTECTIONS[level],
        "avatar_url": group_avatar_url(row, base_url),
        "request_access_enabled": settings.request_access_enabled,
        "full_name": row.full_name,
        "full_path": row.full_path,
        "created_at": wire(row.created_at),
        "parent_id": row.parent_id,
        "organization_id": 1,
        "shared_runners_setting": settings.shared_runners_setting,
        "max_artifacts_size": settings.max_artifacts_size,
        "ldap_cn": None,
        "ldap_access": None,
        "marked_for_deletion_on": row.marked_for_deletion_on,
        "wiki_access_level": settings.wiki_access_level,
    }


def present(call: Call, rows: Sequence[Any]) -> list[Group]:
    """A page of groups."""
    usual = application_settings(call.conn)
    return [Group(**_fields(row, GroupSettings.of(row), usual, call.base_url)) for row in rows]


def present_detail(call: Call, group: Any) -> GroupDetail:
    """One group, with what the caller's role shows."""
    settings = GroupSettings.of(group)
    owns = call.actor.is_admin or group.level >= OWNER
    is_root = group.parent_id is None
    return GroupDetail(
        **_fields(group, settings, application_settings(call.conn), call.base_url),
        runners_token=settings.runners_token if owns else UNSET,
        enabled_git_access_protocol=settings.enabled_git_access_protocol if owns and is_root else UNSET,
        prevent_sharing_groups_outside_hierarchy=(
            settings.prevent_sharing_groups_outside_hierarchy if is_root else UNSET
        ),
        shared_runners_minutes_limit=settings.shared_runners_minutes_limit,
        extra_shared_runners_minutes_limit=settings.extra_shared_runners_minutes_limit,
        prevent_forking_outside_group=settings.prevent_forking_outside_group,
        membership_lock=settings.membership_lock,
        ip_restriction_ranges=settings.ip_restriction_ranges,
    )
