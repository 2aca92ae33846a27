"""Parameters of the group endpoints."""

from datetime import date
from typing import Any

from msgspec import UNSET

from ingot.access.levels import FEATURE_WORDS, MAINTAINER, MEMBER_LEVELS, MINIMAL, VISIBILITY_WORDS
from ingot.features.spaces.groups.settings import (
    CREATION_WORDS,
    GIT_PROTOCOL_WORDS,
    LICENSED,
    SHARED_RUNNERS_WORDS,
    SUBGROUP_CREATION_WORDS,
    BranchProtection,
    Level,
)
from ingot.kit.params import CursorPaging, Paging, Param, Params, UploadedFile


class LevelParam(Params):
    """One level of a protection rule."""

    access_level: int = Param("30, 40, 60 or 0.", required=True, one_of=(0, 30, 40, 60))


class BranchProtectionParams(Params):
    """Rules for the default branch of new projects."""

    allowed_to_push: list[LevelParam] = Param("Who may push.")
    allow_force_push: bool | None = Param("Force pushes are allowed.")
    allowed_to_merge: list[LevelParam] = Param("Who may merge.")
    developer_can_initial_push: bool | None = Param("Developers may make the first push.")

    def rules(self) -> BranchProtection:
        """As it is stored."""
        return BranchProtection(
            allowed_to_push=[Level(entry.access_level) for entry in self.allowed_to_push] or [Level(MAINTAINER)],
            allow_force_push=bool(self.allow_force_push),
            allowed_to_merge=[Level(entry.access_level) for entry in self.allowed_to_merge] or [Level(MAINTAINER)],
            developer_can_initial_push=UNSET
            if self.developer_can_initial_push is None
            else self.developer_can_initial_push,
        )


class GroupSettingParams(Params):
    """What can be set when a group is created and when it is edited."""

    avatar: UploadedFile | None = Param("A picture of up to 200 KB.")
    description: str | None = Param("Up to 500 characters.")
    visibility: str | None = Param("Who sees the group.", one_of=VISIBILITY_WORDS)
    share_with_group_lock: bool | None = Param("Projects may not be shared with other groups.")
    require_two_factor_authentication: bool | None = Param("Members must use two factors.")
    two_factor_grace_period: int | None = Param("Hours before two factors are enforced.")
    project_creation_level: str | None = Param("Who may create projects.", one_of=CREATION_WORDS)
    auto_devops_enabled: bool | None = Param("Auto DevOps for projects of the group.")
    subgroup_creation_level: str | None = Param("Who may create subgroups.", one_of=SUBGROUP_CREATION_WORDS)
    emails_disabled: bool | None = Param("Deprecated: the opposite of `emails_enabled`.")
    emails_enabled: bool | None = Param("Send e-mail notifications.")
    mentions_disabled: bool | None = Param("The group cannot be mentioned.")
    lfs_enabled: bool | None = Param("Large file storage for projects of the group.")
    math_rendering_limits_enabled: bool | None = Param("Limits on rendering formulas.")
    lock_math_rendering_limits_enabled: bool | None = Param("Subgroups cannot change those limits.")
    request_access_enabled: bool | None = Param("Users may ask for membership.")
    default_branch: str | None = Param("Default branch of new projects.")
    default_branch_protection: int | None = Param("Protection of default branches.", one_of=(0, 1, 2, 3, 4))
    default_branch_protection_defaults: BranchProtectionParams | None = Param("The same, as rules.")
    shared_runners_setting: str | None = Param("Instance runners in this group.", one_of=SHARED_RUNNERS_WORDS)
    shared_runners_minutes_limit: int | None = Param("Compute minutes a month; administrators only.")
    extra_shared_runners_minutes_limit: int | None = Param("Extra compute minutes; administrators only.")
    max_artifacts_size: int | None = Param("Megabytes; administrators only.")
    enabled_git_access_protocol: str | None = Param("Protocols for git.", one_of=GIT_PROTOCOL_WORDS)
    wiki_access_level: str | None = Param("Who may use the group's wiki.", one_of=FEATURE_WORDS)
    membership_lock: bool | None = Param("Nobody is added to the projects of this group.")

    def attributes(self, *, licensed: bool) -> dict[str, Any]:
        """What was sent, in the forms that are stored; settings of the paid tiers only where the instance has one."""
        result = {name: value for name, value in self.given().items() if licensed or name not in LICENSED}
        if self.default_branch_protection_defaults is not None:
            result["default_branch_protection_defaults"] = self.default_branch_protection_defaults.rules()
        return result


class CreateGroup(GroupSettingParams):
    """A new group."""

    name: str = Param("Display name.", required=True, default="")
    path: str = Param("Last part of its address.", required=True, default="")
    parent_id: int | None = Param("The group to create it in.")


class GroupFilters(CursorPaging):
    """Filters of every list of groups."""

    skip_groups: list[int] = Param("Without these groups.", comma=True)
    search: str | None = Param("Part of the name or path.")
    visibility: str | None = Param("Only groups of this visibility.", one_of=VISIBILITY_WORDS)
    order_by: str = Param("Order.", default="name", one_of=("name", "path", "id", "similarity"))
    sort: str = Param("Direction.", default="asc", one_of=("asc", "desc"))
    min_access_level: int | None = Param("Least role of the caller.", one_of=(MINIMAL, *MEMBER_LEVELS))
    with_custom_attributes: bool = Param("Show custom attributes; administrators only.", default=False)


class ListGroups(GroupFilters):
    """Filters of the list of groups, subgroups and descendants."""

    statistics: bool = Param("Show sizes; administrators only.", default=False)
    all_available: bool | None = Param("Open groups too; false: only the caller's own.")
    owned: bool = Param("Only groups that the caller owns.", default=False)
    top_level_only: bool = Param("Only groups without a parent.", default=False)
    marked_for_deletion_on: date | None = Param("Only groups marked on this date.")
    repository_storage: str | None = Param("Only groups with projects on this storage; administrators only.")
    custom_attributes: dict[str, Any] | None = Param("Only groups with these values; administrators only.")


class InvitedGroups(GroupFilters):
    """Filters of the groups invited to a group."""

    relation: list[str] = Param("How they were invited.", comma=True, one_of=("direct", "inherited"))


class ShareGroup(Params):
    """The group to invite."""

    group_id: int = Param("The group to share with.", required=True)
    group_access: int = Param("The most its members may do.", required=True, one_of=(MINIMAL, *MEMBER_LEVELS))
    expires_at: date | None = Param("The share ends on this date.")


class UnshareGroup(Params):
    """The share to end."""

    group_id: int = Param("The group that it is shared with.", required=True)


class GetGroup(Params):
    """What to show of a single group."""

    with_projects: bool = Param("Show up to 100 projects and 100 shared projects.", default=True)
    with_custom_attributes: bool = Param("Show custom attributes; administrators only.", default=False)


class EditGroup(GroupSettingParams):
    """What can be changed."""

    name: str | None = Param("Display name.")
    path: str | None = Param("Last part of its address; the old address keeps redirecting.")
    prevent_sharing_groups_outside_hierarchy: bool | None = Param("Share only with groups below; top-level groups.")
    prevent_forking_outside_group: bool | None = Param("Forks stay within the group.")
    ip_restriction_ranges: str | None = Param("Allowed addresses, with commas.")


class DeleteGroup(Params):
    """How to delete."""

    permanently_remove: bool = Param("Delete a marked subgroup at once.", default=False)
    full_path: str | None = Param("The subgroup's full path, as a confirmation.")


class TransferGroup(Params):
    """Where to."""

    group_id: int | None = Param("The new parent; absent: the top.")


class TransferLocations(Paging):
    """Filter of possible new parents."""

    search: str | None = Param("Part of the name or path.")
