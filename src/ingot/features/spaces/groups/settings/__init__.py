"""The catalogue of group settings: those that are shown and never filtered, stored as JSON.

Each setting is one declaration; its parameter and its field on the group follow from it.
"""

import secrets
from typing import Annotated, Any

import msgspec

from ingot.access.levels import FEATURE_WORDS
from ingot.access.rows import SettingsRow
from ingot.features.instance.plan_limits import artifacts_size_problem
from ingot.features.spaces.groups.settings.branch_protection import PROTECTIONS, BranchProtection, Level
from ingot.features.spaces.groups.settings.declaring import (
    GroupSetting,
    Reader,
    Writer,
    address_problem,
    branch_problem,
)
from ingot.kit.catalogue import Apart, Catalogue

__all__ = [
    "GROUP_SETTINGS", "PROTECTIONS", "BranchProtection", "GroupSettings", "Level", "Reader", "Writer",
    "fresh_runners_token",
]  # fmt: skip

CREATION_WORDS = ("noone", "owner", "maintainer", "developer", "administrator")
SUBGROUP_CREATION_WORDS = ("owner", "maintainer")
SHARED_RUNNERS_WORDS = ("enabled", "disabled_and_overridable", "disabled_and_unoverridable", "disabled_with_override")
GIT_PROTOCOL_WORDS = ("ssh", "http", "all", "ssh_certificates")


class GroupSettings(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Every setting with its default in a new group; None where the instance decides."""

    share_with_group_lock: Annotated[bool, GroupSetting("Projects may not be shared with other groups.")] = False
    require_two_factor_authentication: Annotated[bool, GroupSetting("Members must use two factors.")] = False
    two_factor_grace_period: Annotated[int, GroupSetting("Hours before two factors are enforced.", least=0)] = 48
    project_creation_level: Annotated[
        str | None, GroupSetting("Who may create projects.", one_of=CREATION_WORDS, instance_default=True)
    ] = None
    auto_devops_enabled: Annotated[bool | None, GroupSetting("Auto DevOps for projects of the group.")] = None
    subgroup_creation_level: Annotated[
        str, GroupSetting("Who may create subgroups.", one_of=SUBGROUP_CREATION_WORDS)
    ] = "maintainer"
    emails_enabled: Annotated[bool, GroupSetting("Send e-mail notifications.")] = True
    mentions_disabled: Annotated[bool | None, GroupSetting("The group cannot be mentioned.")] = None
    lfs_enabled: Annotated[bool, GroupSetting("Large file storage for projects of the group.")] = True
    math_rendering_limits_enabled: Annotated[bool, GroupSetting("Limits on rendering formulas.")] = True
    lock_math_rendering_limits_enabled: Annotated[bool, GroupSetting("Subgroups cannot change those limits.")] = False
    default_branch: Annotated[str | None, GroupSetting("Default branch of new projects.", check=branch_problem)] = None
    default_branch_protection: Annotated[
        int | None, GroupSetting("Protection of default branches.", one_of=(0, 1, 2, 3, 4), instance_default=True)
    ] = None
    default_branch_protection_defaults: Annotated[
        BranchProtection | None,
        GroupSetting("The same, as rules.", written_by=Apart("sent as an object of parameters"), instance_default=True),
    ] = None
    request_access_enabled: Annotated[bool, GroupSetting("Users may ask for membership.")] = True
    shared_runners_setting: Annotated[
        str, GroupSetting("Instance runners in this group.", one_of=SHARED_RUNNERS_WORDS)
    ] = "enabled"
    wiki_access_level: Annotated[
        str, GroupSetting("Who may use the group's wiki.", tier="premium", one_of=FEATURE_WORDS)
    ] = "enabled"
    runners_token: Annotated[
        str,
        GroupSetting("Registration token of runners.", read_by=Reader.OWNERS, written_by=Apart("generated")),
    ] = ""
    enabled_git_access_protocol: Annotated[
        str,
        GroupSetting("Protocols for git.", read_by=Reader.OWNERS_OF_ROOT_GROUPS, one_of=GIT_PROTOCOL_WORDS),
    ] = "all"
    prevent_sharing_groups_outside_hierarchy: Annotated[
        bool,
        GroupSetting(
            "Share only with groups below; top-level groups.",
            read_by=Reader.ON_ROOT_GROUPS,
            written_by=Writer.OWNERS_LATER,
        ),
    ] = False
    shared_runners_minutes_limit: Annotated[
        int | None,
        GroupSetting(
            "Compute minutes a month; administrators only.",
            read_by=Reader.ON_THE_GROUP,
            written_by=Writer.ADMINISTRATORS,
            least=0,
        ),
    ] = None
    extra_shared_runners_minutes_limit: Annotated[
        int | None,
        GroupSetting(
            "Extra compute minutes; administrators only.",
            read_by=Reader.ON_THE_GROUP,
            written_by=Writer.ADMINISTRATORS,
            least=0,
        ),
    ] = None
    prevent_forking_outside_group: Annotated[
        bool | None,
        GroupSetting(
            "Forks stay within the group.",
            read_by=Reader.ON_THE_GROUP,
            written_by=Writer.OWNERS_LATER,
            tier="premium",
        ),
    ] = None
    membership_lock: Annotated[
        bool,
        GroupSetting("Members cannot be added to projects of this group.", read_by=Reader.ON_THE_GROUP, tier="premium"),
    ] = False
    ip_restriction_ranges: Annotated[
        str | None,
        GroupSetting(
            "Allowed addresses, with commas.",
            read_by=Reader.ON_THE_GROUP,
            written_by=Writer.OWNERS_LATER,
            tier="premium",
            check=address_problem,
        ),
    ] = None
    file_template_project_id: Annotated[
        int | None,
        GroupSetting("Project with the group's file templates.", written_by=Writer.OWNERS_LATER, tier="premium"),
    ] = None
    max_artifacts_size: Annotated[
        int | None,
        GroupSetting("Megabytes; administrators only.", written_by=Writer.ADMINISTRATORS, check=artifacts_size_problem),
    ] = None

    @classmethod
    def of(cls, row: SettingsRow) -> "GroupSettings":
        """The settings of a namespace row."""
        return msgspec.convert(row.settings, cls)

    def stored(self) -> dict[str, Any]:
        """What goes into the row: only what differs from the defaults."""
        result: dict[str, Any] = msgspec.to_builtins(self)
        return result


GROUP_SETTINGS = Catalogue(GroupSettings, GroupSetting)


def fresh_runners_token() -> str:
    """A registration token for the runners of a new group."""
    return f"GR1348941{secrets.token_urlsafe(15)}"
