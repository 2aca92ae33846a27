"""Parameters of protected branches and tags."""

from ingot.access.levels import ADMIN, DEVELOPER, MAINTAINER, NO_ACCESS
from ingot.kit.params import Paging, Param, Params

LEVELS = (NO_ACCESS, DEVELOPER, MAINTAINER, ADMIN)
UNPROTECT_LEVELS = (DEVELOPER, MAINTAINER, ADMIN)


class Grant(Params):
    """One entry of a rule."""

    id: int | None = Param("An existing entry, to change or remove.")
    access_level: int | None = Param("A role.", one_of=LEVELS)
    user_id: int | None = Param("A person.")
    group_id: int | None = Param("A group.")
    destroy: bool | None = Param("Remove the entry.", wire="_destroy")


class ListProtected(Paging):
    """Which protected names."""

    search: str | None = Param("Part of the name.")


class BranchRules(Params):
    """What a protected branch allows."""

    allow_force_push: bool | None = Param("Allow force pushes by users who may push.")
    code_owner_approval_required: bool | None = Param("Require approval by code owners.")
    allowed_to_push: list[Grant] = Param("Who can push.")
    allowed_to_merge: list[Grant] = Param("Who can merge.")
    allowed_to_unprotect: list[Grant] = Param("Who may unprotect.")


class ProtectBranch(BranchRules):
    """A new protected branch or pattern."""

    name: str = Param("Name, or a pattern with `*`.", required=True, blank=False, max_length=255)
    push_access_level: int | None = Param("Role that may push; Maintainers unless given.", one_of=LEVELS)
    merge_access_level: int | None = Param("Role that may merge; Maintainers unless given.", one_of=LEVELS)
    unprotect_access_level: int | None = Param("Role that may unprotect.", one_of=UNPROTECT_LEVELS)


class RoleGrant(Params):
    """One entry of a group's rule."""

    id: int | None = Param("An existing entry, to change or remove.")
    access_level: int | None = Param("A role.", one_of=LEVELS)
    destroy: bool | None = Param("Remove the entry.", wire="_destroy")


class GroupBranchRules(Params):
    """What a protected branch of a group allows."""

    allow_force_push: bool | None = Param("Allow force pushes by users who may push.")
    code_owner_approval_required: bool | None = Param("Require approval by code owners.")
    allowed_to_push: list[RoleGrant] = Param("Who can push.")
    allowed_to_merge: list[RoleGrant] = Param("Who can merge.")
    allowed_to_unprotect: list[RoleGrant] = Param("Who may unprotect.")


class ProtectGroupBranch(GroupBranchRules):
    """A new protected branch or pattern of a group."""

    name: str = Param("Name, or a pattern with `*`.", required=True, blank=False, max_length=255)
    push_access_level: int | None = Param("Role that may push; Maintainers unless given.", one_of=LEVELS)
    merge_access_level: int | None = Param("Role that may merge; Maintainers unless given.", one_of=LEVELS)
    unprotect_access_level: int | None = Param(
        "Role that may unprotect; Maintainers unless given.", one_of=UNPROTECT_LEVELS
    )


class ProtectTag(Params):
    """A new protected tag or pattern."""

    name: str = Param("Name, or a pattern with `*`.", required=True, blank=False, max_length=255)
    create_access_level: int | None = Param("Role that may create; Maintainers unless given.", one_of=LEVELS)
    allowed_to_create: list[Grant] = Param("Who may create.")
