"""Approval settings of groups and projects (paid tiers)."""

from dataclasses import dataclass
from typing import ClassVar

from ingot.access.abilities import GroupAbility, ProjectAbility
from ingot.access.call import Call
from ingot.access.levels import MAINTAINER, OWNER
from ingot.features.review.approval_settings import commands, resolution
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import Entity
from ingot.kit.errors import Forbidden
from ingot.kit.params import Param, Params


@dataclass(frozen=True, slots=True, kw_only=True)
class AdminGroupApprovals(GroupAbility):
    """Owners of top-level groups, on a paid tier."""

    def admit(self, call: Call) -> None:
        """Subgroups have no settings of their own."""
        GroupAbility.admit(self, call)
        if call.group.parent_id is not None or not call.services.settings.has_tier("premium"):
            raise Forbidden


@dataclass(frozen=True, slots=True, kw_only=True)
class AdminProjectApprovals(ProjectAbility):
    """Maintainers, on a paid tier."""

    def admit(self, call: Call) -> None:
        """As usual, and 403 where the tier lacks the feature."""
        ProjectAbility.admit(self, call)
        if not call.services.settings.has_tier("premium"):
            raise Forbidden


GROUP = AdminGroupApprovals(
    ability="admin_group_approval_settings", level=OWNER, needs_user=True, permission="manage_merge_request_settings"
)
PROJECT = AdminProjectApprovals(
    ability="admin_project_approval_settings",
    level=MAINTAINER,
    needs_user=True,
    permission="manage_merge_request_settings",
)

routes = Routes("Approval settings", guard_first=True)


class SettingEntry(Entity):
    """One setting as it applies."""

    value: bool
    locked: bool
    inherited_from: str | None


class ApprovalSettings(Entity):
    """All settings; the password entry is another name of the last."""

    allow_author_approval: SettingEntry
    allow_committer_approval: SettingEntry
    allow_overrides_to_approver_list_per_merge_request: SettingEntry
    retain_approvals_on_push: SettingEntry
    selective_code_owner_removals: SettingEntry
    require_password_to_approve: SettingEntry
    require_reauthentication_to_approve: SettingEntry


class ChangeSettings(Params):
    """Changes."""

    allow_author_approval: bool | None = Param("Authors may approve their own requests.", blank=False)
    allow_committer_approval: bool | None = Param("Committers may approve.", blank=False)
    allow_overrides_to_approver_list_per_merge_request: bool | None = Param(
        "Requests may have approval rules of their own.", blank=False
    )
    retain_approvals_on_push: bool | None = Param("A push keeps the approvals.", blank=False)
    selective_code_owner_removals: bool | None = Param(
        "A push removes only approvals of owners of changed files; not together with retaining.", blank=False
    )
    require_reauthentication_to_approve: bool | None = Param("Approving asks for the password again.", blank=False)
    at_least_one: ClassVar[tuple[str, ...]] = (
        "allow_author_approval",
        "allow_committer_approval",
        "allow_overrides_to_approver_list_per_merge_request",
        "retain_approvals_on_push",
        "selective_code_owner_removals",
        "require_password_to_approve",
        "require_reauthentication_to_approve",
    )


def _shown(entries: dict[str, resolution.Entry]) -> ApprovalSettings:
    result = {
        name: SettingEntry(value=entry.value, locked=entry.locked, inherited_from=entry.inherited_from)
        for name, entry in entries.items()
    }
    return ApprovalSettings(**result, require_password_to_approve=result["require_reauthentication_to_approve"])


@routes.get("/groups/{id}/merge_request_approval_setting", guard=GROUP, returns=ApprovalSettings)
def get_group_approval_settings(call: Call) -> Answer:
    """Approval settings of a top-level group."""
    return _shown(resolution.for_group(call.conn, call.group.id))


@routes.put("/groups/{id}/merge_request_approval_setting", guard=GROUP, params=ChangeSettings, returns=ApprovalSettings)
def update_group_approval_settings(call: Call[ChangeSettings]) -> Answer:
    """Change approval settings of a top-level group; they hold for all projects below."""
    with call.write() as tx:
        commands.change_group(tx, call.group.id, call.params.given())
    return _shown(resolution.for_group(call.conn, call.group.id))


@routes.get("/projects/{id}/merge_request_approval_setting", guard=PROJECT, returns=ApprovalSettings)
def get_project_approval_settings(call: Call) -> Answer:
    """Approval settings of a project; values locked by a group name their source."""
    return _shown(resolution.for_project(call.conn, call.project))


@routes.put(
    "/projects/{id}/merge_request_approval_setting", guard=PROJECT, params=ChangeSettings, returns=ApprovalSettings
)
def update_project_approval_settings(call: Call[ChangeSettings]) -> Answer:
    """Change approval settings of a project."""
    with call.write() as tx:
        commands.change_project(tx, call.project, call.params.given())
    return _shown(resolution.for_project(call.conn, call.project))
