"""Settings of a group that are shown and never filtered: one struct with the defaults, stored as JSON."""

import secrets
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

CREATION_WORDS = ("noone", "owner", "maintainer", "developer", "administrator")
SUBGROUP_CREATION_WORDS = ("owner", "maintainer")
SHARED_RUNNERS_WORDS = ("enabled", "disabled_and_overridable", "disabled_and_unoverridable", "disabled_with_override")
GIT_PROTOCOL_WORDS = ("ssh", "http", "all", "ssh_certificates")


class Level(msgspec.Struct, frozen=True):
    """An access level in a protection rule."""

    access_level: int


class BranchProtection(msgspec.Struct, frozen=True, kw_only=True):
    """What a new project's default branch is protected with."""

    allowed_to_push: list[Level]
    allow_force_push: bool
    allowed_to_merge: list[Level]
    developer_can_initial_push: bool | UnsetType = UNSET


def _protection(push: int, merge: int, *, force: bool = False, initial: bool | UnsetType = UNSET) -> BranchProtection:
    return BranchProtection(
        allowed_to_push=[Level(push)],
        allow_force_push=force,
        allowed_to_merge=[Level(merge)],
        developer_can_initial_push=initial,
    )


# The older setting is a number; each stands for a set of rules.
PROTECTIONS = {
    0: _protection(30, 30, force=True),
    1: _protection(30, 30),
    2: _protection(40, 40),
    3: _protection(40, 30),
    4: _protection(40, 40, initial=True),
}


class GroupSettings(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Every setting with its value in a fresh group; None where the instance decides."""

    share_with_group_lock: bool = False
    require_two_factor_authentication: bool = False
    two_factor_grace_period: int = 48
    project_creation_level: str | None = None
    auto_devops_enabled: bool | None = None
    subgroup_creation_level: str = "maintainer"
    emails_enabled: bool = True
    mentions_disabled: bool | None = None
    lfs_enabled: bool = True
    math_rendering_limits_enabled: bool = True
    lock_math_rendering_limits_enabled: bool = False
    default_branch: str | None = None
    default_branch_protection: int | None = None
    default_branch_protection_defaults: BranchProtection | None = None
    request_access_enabled: bool = True
    shared_runners_setting: str = "enabled"
    wiki_access_level: Literal["disabled", "private", "enabled"] = "enabled"
    runners_token: str = ""
    enabled_git_access_protocol: str = "all"
    prevent_sharing_groups_outside_hierarchy: bool = False
    shared_runners_minutes_limit: int | None = None
    extra_shared_runners_minutes_limit: int | None = None
    prevent_forking_outside_group: bool | None = None
    membership_lock: bool = False
    ip_restriction_ranges: str | None = None
    max_artifacts_size: int | None = None

    @classmethod
    def of(cls, row: Any) -> "GroupSettings":
        """The settings of a namespace row."""
        return msgspec.convert(row.settings, cls)

    def stored(self) -> dict[str, Any]:
        """What goes into the row: only what differs from the defaults."""
        result: dict[str, Any] = msgspec.to_builtins(self)
        return result


FIELDS = frozenset(GroupSettings.__struct_fields__)
# Settings of the paid tiers.
LICENSED = ("prevent_forking_outside_group", "membership_lock", "ip_restriction_ranges", "wiki_access_level")
NULLABLE = frozenset(field.name for field in msgspec.structs.fields(GroupSettings) if field.default is None)


def fresh_runners_token() -> str:
    """A registration token for the runners of a new group."""
    return f"GR1348941{secrets.token_urlsafe(15)}"
