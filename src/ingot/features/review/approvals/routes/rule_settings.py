"""The older form of approval rules, `approval_settings`, that some clients still read and write (paid tiers)."""

from sqlalchemy import select

from ingot.access.call import Call
from ingot.features.people.users import UserBasic
from ingot.features.planning.notes import notes
from ingot.features.review.approvals import legacy
from ingot.features.review.approvals.entities import (
    ApprovalRule,
    ApprovalRuleState,
    RuleBranch,
    RuleGroup,
    SourceRule,
)
from ingot.features.review.approvals.routes import project_rules
from ingot.features.review.approvals.routes.project_rules import ADMIN_RULES, CreateRule, OneRule, UpdateRule
from ingot.features.review.approvals.routes.requests import approval_rule_states
from ingot.features.review.approvals.rule_commands import PROJECT
from ingot.features.review.approvals.state import applies_to
from ingot.features.review.approvals.state import project_rules as rules_of
from ingot.features.review.merge_requests import (
    FIND_MERGE_REQUEST,
    READ_MERGE_REQUESTS_SIGNED_IN,
    OneMergeRequest,
    find_then_authorize,
)
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import UNSET, Entity, UnsetType
from ingot.kit.params import Param, Params

routes = Routes("Approval rules", tier="premium")
PATH = "/projects/{id}/approval_settings"


class RuleSetting(Entity, kw_only=True):
    """A rule in the older form: its people are `approvers`."""

    id: int
    name: str
    rule_type: str
    approvers: list[UserBasic]
    approvals_required: int
    users: list[UserBasic]
    groups: list[RuleGroup]
    contains_hidden_groups: bool
    protected_branches: list[RuleBranch] | UnsetType = UNSET


class RequestRuleSetting(RuleSetting, kw_only=True):
    """A rule of a request with who has approved and who has commented."""

    section: str | UnsetType | None = UNSET
    source_rule: SourceRule | UnsetType | None = UNSET
    code_owner: bool
    approved_by: list[UserBasic]
    approved: bool
    commented_by: list[UserBasic]


class ProjectRuleSettings(Entity):
    """The rules of a project."""

    rules: list[RuleSetting]
    fallback_approvals_required: int


class RequestRuleSettings(Entity):
    """The rules of a request."""

    approval_rules_overwritten: bool
    rules: list[RequestRuleSetting]


class ListRuleSettings(Params):
    """Which rules."""

    target_branch: str | None = Param("Only rules that concern this branch.")


SHARED = ("id", "name", "rule_type", "approvals_required", "users", "groups", "contains_hidden_groups")


def _setting(rule: ApprovalRule) -> RuleSetting:
    return RuleSetting(
        **{name: getattr(rule, name) for name in SHARED},
        approvers=rule.eligible_approvers,
        protected_branches=rule.protected_branches,
    )


@routes.get(PATH, guard=READ_MERGE_REQUESTS_SIGNED_IN, params=ListRuleSettings, returns=ProjectRuleSettings)
def get_project_rule_settings(call: Call[ListRuleSettings]) -> Answer:
    """Approval rules of a project in their older form."""
    rules, branch = rules_of(call.conn, [call.project.id]).get(call.project.id, []), call.params.target_branch
    shown = project_rules.present_rules(call, [rule for rule in rules if branch is None or applies_to(rule, branch)])
    return ProjectRuleSettings(
        rules=[_setting(rule) for rule in shown],
        fallback_approvals_required=legacy.required(call.conn, PROJECT, call.project.id),
    )


@routes.post(f"{PATH}/rules", guard=ADMIN_RULES, params=CreateRule, returns=RuleSetting)
def create_project_rule_setting(call: Call[CreateRule]) -> Answer:
    """Create an approval rule, answered in its older form."""
    return _setting(project_rules.create_rule(call))


@routes.put(f"{PATH}/rules/{{approval_rule_id}}", guard=ADMIN_RULES, params=UpdateRule, returns=RuleSetting)
def update_project_rule_setting(call: Call[UpdateRule]) -> Answer:
    """Change an approval rule, answered in its older form."""
    return _setting(project_rules.update_rule(call))


@routes.delete(f"{PATH}/rules/{{approval_rule_id}}", guard=ADMIN_RULES, params=OneRule)
def delete_project_rule_setting(call: Call[OneRule]) -> None:
    """Delete an approval rule."""
    project_rules.delete_rule(call)


@routes.get(
    "/projects/{id}/merge_requests/{merge_request_iid}/approval_settings",
    guard=FIND_MERGE_REQUEST,
    params=OneMergeRequest,
    returns=RequestRuleSettings,
)
def get_merge_request_rule_settings(call: Call[OneMergeRequest]) -> Answer:
    """The rules that apply to a request in their older form, and where each stands."""
    row = find_then_authorize(call)
    states = approval_rule_states(call, row)
    here = (notes.c.noteable_type == "MergeRequest", notes.c.noteable_id == row.id, ~notes.c.system, ~notes.c.internal)
    authors = set(call.conn.execute(select(notes.c.author_id).where(*here).distinct()).scalars())
    return RequestRuleSettings(
        approval_rules_overwritten=states.approval_rules_overwritten,
        rules=[_request_setting(rule, authors) for rule in states.rules],
    )


def _request_setting(rule: ApprovalRuleState, authors: set[int | None]) -> RequestRuleSetting:
    return RequestRuleSetting(
        **{name: getattr(rule, name) for name in (*SHARED, "section", "source_rule", "code_owner")},
        approvers=rule.eligible_approvers,
        approved_by=rule.approved_by,
        approved=rule.approved,
        commented_by=[user for user in rule.eligible_approvers if user.id in authors],
    )
