"""The older lists of approvers, and the older form of approval rules (paid tiers)."""

from ingot.access.call import Call
from ingot.access.tables import projects
from ingot.features.review.approvals import rule_commands
from ingot.features.review.approvals.approver_list import (
    approver_rules,
    find_approvers,
    is_approver_rule,
    replace_approvers,
)
from ingot.features.review.approvals.entities import Approvals
from ingot.features.review.approvals.routes.legacy import ProjectApprovals, project_approvals
from ingot.features.review.approvals.routes.project_rules import ADMIN_RULES
from ingot.features.review.approvals.routes.request_rules import find_editable
from ingot.features.review.approvals.routes.requests import get_merge_request_approvals
from ingot.features.review.approvals.rule_commands import PROJECT, REQUEST
from ingot.features.review.approvals.state import request_rules
from ingot.features.review.merge_requests import FIND_MERGE_REQUEST, OneMergeRequest, merge_requests
from ingot.kit.db import hold_row
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.params import Param, Params

routes = Routes("Approvals", tier="premium")


class ChangeApprovers(Params):
    """Approvers."""

    approver_ids: list[int] = Param("Ids of users; replaces all.", required=True, comma=True)
    approver_group_ids: list[int] = Param("Ids of groups; replaces all.", required=True, comma=True)


class ChangeRequestApprovers(OneMergeRequest, ChangeApprovers):
    """Approvers of a merge request."""


@routes.put("/projects/{id}/approvers", guard=ADMIN_RULES, params=ChangeApprovers, returns=ProjectApprovals)
def replace_project_approvers(call: Call[ChangeApprovers]) -> Answer:
    """Replace the people of the project's rule `Default` (deprecated); without any it is deleted."""
    with call.write() as tx:
        hold_row(tx, projects, call.project.id)  # two calls must not both create the rule
        rules = approver_rules(tx, call.project.id)
        people = find_approvers(tx, call.project, call.params.approver_ids)
        groups = rule_commands.resolve_groups(tx, call.actor, call.params.approver_group_ids)
        replace_approvers(tx, PROJECT, call.project.id, rules[0].row if rules else None, people, groups)
    return project_approvals(call)


@routes.put(
    "/projects/{id}/merge_requests/{merge_request_iid}/approvers",
    guard=FIND_MERGE_REQUEST,
    params=ChangeRequestApprovers,
    returns=Approvals,
)
def replace_merge_request_approvers(call: Call[ChangeRequestApprovers]) -> Answer:
    """Replace the people of the request's rule `Default` (deprecated); without any it is deleted."""
    row = find_editable(call)
    with call.write() as tx:
        hold_row(tx, merge_requests, row.id)
        rules = [rule.row for rule in request_rules(tx, [row.id]).get(row.id, []) if is_approver_rule(rule)]
        people = find_approvers(tx, call.project, call.params.approver_ids)
        groups = rule_commands.resolve_groups(tx, call.actor, call.params.approver_group_ids)
        replace_approvers(tx, REQUEST, row.id, rules[0] if rules else None, people, groups, is_modified=True)
    return get_merge_request_approvals(call)
