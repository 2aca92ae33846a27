"""The older approval endpoints of projects and requests (paid tiers)."""

from typing import Any, ClassVar

from ingot.access.call import Call
from ingot.access.policy import EDIT_MERGE_SETTINGS
from ingot.features.review.approval_settings import change_project, for_project
from ingot.features.review.approvals import legacy
from ingot.features.review.approvals.approver_list import approver_rules
from ingot.features.review.approvals.before_merge import set_approvals_before_merge
from ingot.features.review.approvals.entities import Approvals, Approver, ApproverGroup, RuleLoads
from ingot.features.review.approvals.routes.request_rules import find_editable
from ingot.features.review.approvals.routes.requests import get_merge_request_approvals
from ingot.features.review.approvals.rule_commands import PROJECT
from ingot.features.review.merge_requests import FIND_MERGE_REQUEST, READ_MERGE_REQUESTS_SIGNED_IN, OneMergeRequest
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import Entity
from ingot.kit.errors import Body, Texts
from ingot.kit.params import Param, Params

routes = Routes("Approvals", tier="premium")


class ProjectApprovals(Entity):
    """Approval settings of a project in their older names."""

    approvers: list[Approver]
    approver_groups: list[ApproverGroup]
    approvals_before_merge: int
    reset_approvals_on_push: bool
    selective_code_owner_removals: bool
    disable_overriding_approvers_per_merge_request: bool
    merge_requests_author_approval: bool
    merge_requests_disable_committers_approval: bool
    require_password_to_approve: bool
    require_reauthentication_to_approve: bool


class ChangeProjectApprovals(Params):
    """Changes."""

    approvals_before_merge: int | None = Param("Needed approvals (deprecated).")
    reset_approvals_on_push: bool | None = Param("A push removes approvals.")
    selective_code_owner_removals: bool | None = Param("A push removes only approvals of owners of changed files.")
    disable_overriding_approvers_per_merge_request: bool | None = Param("Requests may not have rules of their own.")
    merge_requests_author_approval: bool | None = Param("Authors may approve.")
    merge_requests_disable_committers_approval: bool | None = Param("Committers may not approve.")
    require_password_to_approve: bool | None = Param("Approving asks for the password.")
    require_reauthentication_to_approve: bool | None = Param("Approving asks for the password.")
    at_least_one: ClassVar[tuple[str, ...]] = (
        "approvals_before_merge", "reset_approvals_on_push", "selective_code_owner_removals",
        "disable_overriding_approvers_per_merge_request", "merge_requests_author_approval",
        "merge_requests_disable_committers_approval", "require_password_to_approve",
        "require_reauthentication_to_approve",
    )  # fmt: skip


class ChangeRequired(OneMergeRequest):
    """Needed approvals of a request."""

    approvals_required: int = Param("Needed approvals.", required=True)


# Older name -> today's setting, and whether the sense is turned round.
RENAMED = {
    "reset_approvals_on_push": ("retain_approvals_on_push", True),
    "selective_code_owner_removals": ("selective_code_owner_removals", False),
    "disable_overriding_approvers_per_merge_request": ("allow_overrides_to_approver_list_per_merge_request", True),
    "merge_requests_author_approval": ("allow_author_approval", False),
    "merge_requests_disable_committers_approval": ("allow_committer_approval", True),
    "require_password_to_approve": ("require_reauthentication_to_approve", False),
    "require_reauthentication_to_approve": ("require_reauthentication_to_approve", False),
}


def project_approvals(call: Call) -> ProjectApprovals:
    """What projects show in the older names."""
    entries = for_project(call.conn, call.project)
    values: dict[str, Any] = {
        old: not entries[name].value if turned else entries[name].value for old, (name, turned) in RENAMED.items()
    }
    rules = approver_rules(call.conn, call.project.id)
    loads = RuleLoads(call, rules)
    return ProjectApprovals(
        approvers=[Approver(user=user) for rule in rules for user in loads.people(rule.user_ids)],
        approver_groups=[ApproverGroup(group=group) for group in loads.groups.values()],
        approvals_before_merge=legacy.required(call.conn, PROJECT, call.project.id),
        **values,
    )


@routes.get("/projects/{id}/approvals", guard=READ_MERGE_REQUESTS_SIGNED_IN, returns=ProjectApprovals)
def get_project_approvals(call: Call) -> Answer:
    """Approval settings of a project in their older names."""
    return project_approvals(call)


@routes.post(
    "/projects/{id}/approvals", guard=EDIT_MERGE_SETTINGS, params=ChangeProjectApprovals, returns=ProjectApprovals
)
def update_project_approvals(call: Call[ChangeProjectApprovals]) -> Answer:
    """Change approval settings of a project by their older names."""
    READ_MERGE_REQUESTS_SIGNED_IN.require(call.actor, call.project)
    given = {name: value for name, value in call.params.given().items() if value is not None}
    sent = {RENAMED[name][0]: value is not RENAMED[name][1] for name, value in given.items() if name in RENAMED}
    with call.write() as tx:
        if sent:
            change_project(tx, call.project, sent)
        if "approvals_before_merge" in given:
            legacy.set_required(tx, PROJECT, call.project.id, max(0, given["approvals_before_merge"]))
    return project_approvals(call)


@routes.post(
    "/projects/{id}/merge_requests/{merge_request_iid}/approvals",
    guard=FIND_MERGE_REQUEST,
    params=ChangeRequired,
    returns=Approvals,
    errors=(422,),
)
def set_merge_request_approvals_required(call: Call[ChangeRequired]) -> Answer:
    """Set the number of approvals that a request needs (deprecated)."""
    try:
        row = find_editable(call)
    except Texts:
        if not for_project(call.conn, call.project)["allow_overrides_to_approver_list_per_merge_request"].value:
            raise Body(422, {"error": "Overriding approvals is disabled"}) from None
        raise
    with call.write() as tx:
        set_approvals_before_merge(tx, row, call.params.approvals_required)
    return get_merge_request_approvals(call)
