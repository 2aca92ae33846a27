"""Approval rules of projects (paid tiers)."""

from typing import Any

from sqlalchemy import Connection, select

from ingot.access.abilities import ProjectAbility
from ingot.access.call import Call
from ingot.access.levels import MAINTAINER
from ingot.features.code.protected_branches import protected_branches
from ingot.features.review.approvals import rule_commands
from ingot.features.review.approvals.entities import ApprovalRule, RuleBranch, RuleLoads, rule_values
from ingot.features.review.approvals.rule_commands import PROJECT
from ingot.features.review.approvals.state import Rule, project_rules
from ingot.features.review.approvals.tables import approval_project_rule_branches
from ingot.features.review.merge_requests import READ_MERGE_REQUESTS_SIGNED_IN
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import group_by
from ingot.kit.errors import RecordNotFound
from ingot.kit.params import Paging, Param, Params

ADMIN_RULES = ProjectAbility(
    ability="admin_approval_rules",
    level=MAINTAINER,
    feature=("repository", "merge_requests"),
    writes=True,
    needs_user=True,
    permission="manage_merge_request_settings",
)
routes = Routes("Approval rules", tier="premium")
PATH = "/projects/{id}/approval_rules"
KINDS = ("any_approver", "regular", "report_approver")


class RulePeople(Params):
    """Users and groups of a rule."""

    user_ids: list[int] = Param("Ids of users.", comma=True, aliases=("users",))
    usernames: list[str] = Param("Names of users.", comma=True)
    group_ids: list[int] = Param("Ids of groups.", comma=True, aliases=("groups",))


class CreateRule(RulePeople):
    """A new rule."""

    name: str = Param("Name.", required=True)
    approvals_required: int = Param("Needed approvals, 0 to 100.", required=True)
    rule_type: str | None = Param("Kind.", one_of=KINDS)
    report_type: str | None = Param("Kind of report, for report rules.", one_of=("code_coverage", "license_scanning"))
    protected_branch_ids: list[int] = Param("Limit to these protected branches.", comma=True)
    applies_to_all_protected_branches: bool = Param("Limit to all protected branches.", default=False)


class OneRule(Params):
    """One rule."""

    approval_rule_id: int = Param("Id of the rule.", required=True)


class UpdateRule(OneRule, RulePeople):
    """Changes of a rule."""

    name: str | None = Param("Name.")
    approvals_required: int | None = Param("Needed approvals, 0 to 100.")
    protected_branch_ids: list[int] = Param("Limit to these protected branches.", comma=True)
    applies_to_all_protected_branches: bool | None = Param("Limit to all protected branches.")
    remove_hidden_groups: bool | None = Param("Drop groups that the caller cannot see.")


def present_rules(call: Call, rules: list[Rule]) -> list[ApprovalRule]:
    """Rules of the call's project on the wire."""
    loads = RuleLoads(call, rules)
    links = approval_project_rule_branches
    rows = call.conn.execute(
        select(links.c.rule_id, protected_branches.c.id, protected_branches.c.name)
        .join_from(links, protected_branches, protected_branches.c.id == links.c.protected_branch_id)
        .where(links.c.rule_id.in_([rule.row.id for rule in rules]))
        .order_by(protected_branches.c.id)
    )
    branches = group_by(rows, lambda row: row.rule_id)
    return [
        ApprovalRule(
            **rule_values(rule, loads),
            name=rule.row.name,
            protected_branches=[RuleBranch(id=row.id, name=row.name) for row in branches.get(rule.row.id, [])],
            applies_to_all_protected_branches=rule.row.applies_to_all_protected_branches,
        )
        for rule in rules
    ]


def _find(call: Call[OneRule]) -> Rule:
    for rule in project_rules(call.conn, [call.project.id]).get(call.project.id, []):
        if rule.row.id == call.params.approval_rule_id:
            return rule
    raise RecordNotFound


def _again(call: Call, rule_id: int) -> ApprovalRule:
    rules = project_rules(call.conn, [call.project.id])[call.project.id]
    return present_rules(call, [rule for rule in rules if rule.row.id == rule_id])[0]


def named_people(tx: Connection, call: Call[RulePeople]) -> tuple[list[int] | None, list[int] | None]:
    """The users and the groups that were sent, each None where they were not."""
    options = call.params
    people = groups = None
    if options.sent & {"user_ids", "usernames"}:
        people = rule_commands.resolve_people(tx, call.project.id, options.user_ids, options.usernames)
    if "group_ids" in options.sent:
        groups = rule_commands.resolve_groups(tx, call.actor, options.group_ids)
    return people, groups


@routes.get(PATH, guard=READ_MERGE_REQUESTS_SIGNED_IN, params=Paging, returns=list[ApprovalRule])
def list_project_approval_rules(call: Call[Paging]) -> Answer:
    """Approval rules of a project."""
    rules = project_rules(call.conn, [call.project.id]).get(call.project.id, [])
    return call.page_of_list(rules, lambda inner, part: present_rules(inner, list(part)))


@routes.get(f"{PATH}/{{approval_rule_id}}", guard=READ_MERGE_REQUESTS_SIGNED_IN, params=OneRule, returns=ApprovalRule)
def get_project_approval_rule(call: Call[OneRule]) -> Answer:
    """One approval rule of a project."""
    return present_rules(call, [_find(call)])[0]


@routes.post(PATH, guard=ADMIN_RULES, params=CreateRule, returns=ApprovalRule)
def create_project_approval_rule(call: Call[CreateRule]) -> Answer:
    """Create an approval rule; without users and groups everybody's approval counts."""
    return create_rule(call)


def create_rule(call: Call[CreateRule]) -> ApprovalRule:
    """Create the rule that the caller asked for."""
    options = call.params
    values: dict[str, Any] = {
        "name": options.name,
        "approvals_required": options.approvals_required,
        "rule_type": options.rule_type or "regular",
        "report_type": options.report_type,
        "applies_to_all_protected_branches": options.applies_to_all_protected_branches,
    }
    with call.write() as tx:
        people, groups = named_people(tx, call)
        created = rule_commands.create_rule(tx, PROJECT, call.project.id, values, people or [], groups or [])
        if options.protected_branch_ids and not options.applies_to_all_protected_branches:
            rule_commands.limit_to_branches(tx, call.project.id, created, options.protected_branch_ids)
    return _again(call, created)


@routes.put(f"{PATH}/{{approval_rule_id}}", guard=ADMIN_RULES, params=UpdateRule, returns=ApprovalRule)
def update_project_approval_rule(call: Call[UpdateRule]) -> Answer:
    """Change an approval rule; open requests follow unless they have changed it for themselves."""
    return update_rule(call)


def update_rule(call: Call[UpdateRule]) -> ApprovalRule:
    """Change the rule that the caller named."""
    rule, options = _find(call), call.params
    names = ("name", "approvals_required", "applies_to_all_protected_branches")
    values = {name: getattr(options, name) for name in names if getattr(options, name) is not None}
    with call.write() as tx:
        people, groups = named_people(tx, call)
        if groups is not None and not options.remove_hidden_groups:
            hidden = [
                g for g in rule.group_ids if g not in rule_commands.resolve_groups(tx, call.actor, rule.group_ids)
            ]
            groups = [*groups, *(group_id for group_id in hidden if group_id not in groups)]
        rule_commands.update_rule(tx, PROJECT, rule.row, values, people, groups)
        if "protected_branch_ids" in options.sent:
            rule_commands.limit_to_branches(tx, call.project.id, rule.row.id, options.protected_branch_ids)
        rule_commands.spread(tx, rule.row.id)
    return _again(call, rule.row.id)


@routes.delete(f"{PATH}/{{approval_rule_id}}", guard=ADMIN_RULES, params=OneRule)
def delete_project_approval_rule(call: Call[OneRule]) -> None:
    """Delete an approval rule."""
    delete_rule(call)


def delete_rule(call: Call[OneRule]) -> None:
    """Delete the rule that the caller named."""
    rule = _find(call)
    call.require_unmodified(rule.row.updated_at)
    with call.write() as tx:
        rule_commands.delete_rule(tx, PROJECT, rule.row.id)
