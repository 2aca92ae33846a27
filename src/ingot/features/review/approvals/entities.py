"""Approvals, rules and approval states on the wire."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select

from ingot.access.call import Call
from ingot.access.tables import namespaces
from ingot.access.visibility import visible_groups
from ingot.features.people.users import UserBasic, users_by_id
from ingot.features.review.approvals.state import ApprovalState, Rule, RuleState
from ingot.kit.entity import UNSET, Entity, UnsetType


class RuleGroup(Entity):
    """A group named by a rule."""

    id: int
    web_url: str
    name: str
    path: str
    description: str
    full_name: str
    full_path: str
    parent_id: int | None


class RuleName(Entity):
    """A rule in its short form."""

    id: int
    name: str
    rule_type: str


class RuleBranch(Entity):
    """A protected branch that a rule is limited to."""

    id: int
    name: str


class SourceRule(Entity):
    """The project's rule behind a request's rule."""

    approvals_required: int


class ApprovalRule(Entity, kw_only=True):
    """A rule of a project or of a request."""

    id: int
    name: str
    rule_type: str
    report_type: str | None
    eligible_approvers: list[UserBasic]
    approvals_required: int
    users: list[UserBasic]
    groups: list[RuleGroup]
    contains_hidden_groups: bool
    protected_branches: list[RuleBranch] | UnsetType = UNSET
    applies_to_all_protected_branches: bool | UnsetType = UNSET
    section: str | UnsetType | None = UNSET
    source_rule: SourceRule | UnsetType | None = UNSET
    overridden: bool | UnsetType = UNSET


class ApprovalRuleState(ApprovalRule, kw_only=True):
    """A rule with who has approved."""

    code_owner: bool
    approved_by: list[UserBasic]
    approved: bool


class ApprovalRules(Entity):
    """GET approval_state."""

    approval_rules_overwritten: bool
    rules: list[ApprovalRuleState]


class ApprovedBy(Entity):
    """One approval."""

    user: UserBasic
    approved_at: datetime


class Approver(Entity):
    """A person who could approve (deprecated form)."""

    user: UserBasic


class ApproverGroup(Entity):
    """A group whose members could approve (deprecated form)."""

    group: RuleGroup


class Approvals(Entity, kw_only=True):
    """GET approvals; below the paid tiers only the four keys without a default are shown."""

    id: int | UnsetType = UNSET
    iid: int | UnsetType = UNSET
    project_id: int | UnsetType = UNSET
    title: str | UnsetType = UNSET
    description: str | UnsetType | None = UNSET
    state: str | UnsetType = UNSET
    created_at: datetime | UnsetType = UNSET
    updated_at: datetime | UnsetType = UNSET
    merge_status: str | UnsetType = UNSET
    approved: bool
    approvals_required: int | UnsetType = UNSET
    approvals_left: int | UnsetType = UNSET
    require_password_to_approve: bool | UnsetType = UNSET
    approved_by: list[ApprovedBy]
    suggested_approvers: list[UserBasic] | UnsetType = UNSET
    approvers: list[Approver] | UnsetType = UNSET
    approver_groups: list[ApproverGroup] | UnsetType = UNSET
    user_has_approved: bool
    user_can_approve: bool
    approval_rules_left: list[RuleName] | UnsetType = UNSET
    has_approval_rules: bool | UnsetType = UNSET
    merge_request_approvers_available: bool | UnsetType = UNSET
    multiple_approval_rules_available: bool | UnsetType = UNSET
    invalid_approvers_rules: list[RuleName] | UnsetType = UNSET


class RuleLoads:
    """People and groups of a set of rules, in one query each; hidden groups stay hidden."""

    def __init__(self, call: Call, rules: Sequence[Rule], more_users: Iterable[int] = ()) -> None:
        user_ids = {user_id for rule in rules for user_id in rule.candidates()} | set(more_users)
        self.users = users_by_id(call.conn, user_ids, call.base_url)
        group_ids = {group_id for rule in rules for group_id in rule.group_ids}
        self.groups = _groups(call, call.conn, group_ids)

    def people(self, ids: Iterable[int]) -> list[UserBasic]:
        """Users in the given order."""
        return [self.users[user_id] for user_id in ids if user_id in self.users]


def _groups(call: Call, conn: Connection, ids: set[int]) -> dict[int, RuleGroup]:
    if not ids:
        return {}
    query = select(namespaces).where(namespaces.c.id.in_(ids), visible_groups(call.actor))
    return {
        row.id: RuleGroup(
            id=row.id,
            web_url=f"{call.base_url}/groups/{row.full_path}",
            name=row.name,
            path=row.path,
            description=row.description,
            full_name=row.full_name,
            full_path=row.full_path,
            parent_id=row.parent_id,
        )
        for row in conn.execute(query)
    }


def rule_values(rule: Rule, loads: RuleLoads, eligible: Iterable[int] | None = None) -> dict[str, Any]:
    """What all forms of a rule share."""
    return {
        "id": rule.row.id,
        "rule_type": rule.row.rule_type,
        "report_type": rule.row.report_type,
        "eligible_approvers": loads.people(rule.candidates() if eligible is None else eligible),
        "approvals_required": rule.required,
        "users": loads.people(rule.user_ids),
        "groups": [loads.groups[group_id] for group_id in rule.group_ids if group_id in loads.groups],
        "contains_hidden_groups": any(group_id not in loads.groups for group_id in rule.group_ids),
    }


def name_in_requests(rule: Rule) -> str:
    """The name; a rule for everybody has the one that was chosen for it only in the project."""
    return "All Members" if rule.is_any else rule.row.name


def request_rule_values(rule: Rule, sources: dict[int, int]) -> dict[str, Any]:
    """What a request's rule adds; `sources`: needed approvals of the project's rules."""
    source_id = getattr(rule.row, "source_rule_id", None)
    source = SourceRule(approvals_required=sources[source_id]) if source_id in sources else None
    return {
        "name": name_in_requests(rule),
        "section": getattr(rule.row, "section", None),
        "source_rule": source,
        "overridden": bool(getattr(rule.row, "is_modified", False)),
    }


def rule_state(rule: RuleState, loads: RuleLoads, sources: dict[int, int]) -> ApprovalRuleState:
    """A rule with who has approved."""
    return ApprovalRuleState(
        **rule_values(rule.rule, loads, rule.eligible),
        **request_rule_values(rule.rule, sources),
        code_owner=rule.rule.is_code_owner,
        approved_by=loads.people(rule.approved_by),
        approved=rule.is_approved,
    )


def names(rules: Iterable[RuleState]) -> list[RuleName]:
    """Rules in their short form."""
    return [
        RuleName(
            id=rule.rule.row.id,
            name=name_in_requests(rule.rule),
            rule_type=rule.rule.row.rule_type,
        )
        for rule in rules
    ]


def everybody(state: ApprovalState) -> list[Rule]:
    """The rules of a state, without approvals."""
    return [rule.rule for rule in state.rules]
