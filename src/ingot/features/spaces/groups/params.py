"""Parameters of the group endpoints."""

from datetime import date
from typing import Any

from msgspec import UNSET

from ingot.access.levels import MAINTAINER, MEMBER_LEVELS, MINIMAL, VISIBILITY_WORDS
from ingot.features.spaces.groups.settings import GROUP_SETTINGS, BranchProtection, Level, Writer
from ingot.kit.params import CursorPaging, Paging, Param, Params, UploadedFile


class LevelParam(Params):
    """One level of a protection rule."""

    access_level: int = Param("30, 40, 60 or 0.", required=True, one_of=(0, 30, 40, 60))


class BranchProtectionParams(Params):
    """Rules for the default branch of new projects."""

    allowed_to_push: list[LevelParam] = Param("Who can push.")
    allow_force_push: bool | None = Param("Allow force push.")
    allowed_to_merge: list[LevelParam] = Param("Who can merge.")
    developer_can_initial_push: bool | None = Param("Developers can make the initial push.")

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


@GROUP_SETTINGS.parameters(Writer.OWNERS, Writer.ADMINISTRATORS)
class GroupSettingParams(Params):
    """What can be set when a group is created and when it is edited."""

    avatar: UploadedFile | None = Param("Image of up to 200 KB.")
    description: str | None = Param("Up to 500 characters.")
    visibility: str | None = Param("Who sees the group.", one_of=VISIBILITY_WORDS)
    emails_disabled: bool | None = Param("Deprecated: the opposite of `emails_enabled`.")
    default_branch_protection_defaults: BranchProtectionParams | None = Param("The same, as rules.")

    def attributes(self, *, licensed: bool) -> dict[str, Any]:
        """What was sent, in the forms that are stored; settings of the paid tiers only where the instance has one."""
        result = self.given()
        for name, setting in GROUP_SETTINGS.settings.items():
            if setting.tier != "free" and not licensed:
                result.pop(name, None)
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
    min_access_level: int | None = Param("Minimum role of the caller.", one_of=(MINIMAL, *MEMBER_LEVELS))
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


@GROUP_SETTINGS.parameters(Writer.OWNERS_LATER)
class EditGroup(GroupSettingParams):
    """What can be changed."""

    name: str | None = Param("Display name.")
    path: str | None = Param("Last part of its address; the old address keeps redirecting.")


class DeleteGroup(Params):
    """How to delete."""

    permanently_remove: bool = Param("Delete a marked subgroup at once.", default=False)
    full_path: str | None = Param("The subgroup's full path, as a confirmation.")


class TransferGroup(Params):
    """Target."""

    group_id: int | None = Param("The new parent; absent: the top.")


class TransferLocations(Paging):
    """Filter of possible new parents."""

    search: str | None = Param("Part of the name or path.")
