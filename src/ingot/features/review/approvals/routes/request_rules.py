"""Approval rules of single requests (paid tiers); only while the project lets requests have their own."""

from typing import Any

from sqlalchemy import Connection, select

from ingot.access.call import Call
from ingot.features.review.approvals import rule_commands
from ingot.features.review.approvals.before_merge import may_edit_rules
from ingot.features.review.approvals.entities import ApprovalRule, RuleLoads, request_rule_values, rule_values
from ingot.features.review.approvals.routes.project_rules import RulePeople, named_people
from ingot.features.review.approvals.rule_commands import REQUEST
from ingot.features.review.approvals.state import Rule, needed_by_rule, request_rules
from ingot.features.review.approvals.tables import approval_project_rules
from ingot.features.review.merge_requests import (
    FIND_MERGE_REQUEST,
    MergeRequestRow,
    MergeRequestWithProject,
    OneMergeRequest,
    find_then_authorize,
)
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import RecordNotFound, Texts
from ingot.kit.params import Paging, Param

routes = Routes("Approval rules", guard=FIND_MERGE_REQUEST, tier="premium")
PATH = "/projects/{id}/merge_requests/{merge_request_iid}/approval_rules"


class ListRules(OneMergeRequest, Paging):
    """The rules of a request."""


class CreateRule(OneMergeRequest, RulePeople):
    """A new rule."""

    name: str = Param("Name; a rule of the project keeps its own.", required=True)
    approvals_required: int = Param("Needed approvals, 0 to 100.", required=True)
    approval_project_rule_id: int | None = Param("A rule of the project to copy, with its name and people.")


class OneRule(OneMergeRequest):
    """One rule."""

    approval_rule_id: int = Param("Id of the rule.", required=True)


class UpdateRule(OneRule, RulePeople):
    """Changes of a rule."""

    name: str | None = Param("Name.")
    approvals_required: int | None = Param("Needed approvals, 0 to 100.")
    remove_hidden_groups: bool | None = Param("Drop groups that the caller cannot see.")


def _present(call: Call, rules: list[Rule]) -> list[ApprovalRule]:
    loads, sources = RuleLoads(call, rules), needed_by_rule(call.conn, call.project.id)
    return [ApprovalRule(**rule_values(rule, loads), **request_rule_values(rule, sources)) for rule in rules]


def _find(call: Call[OneRule], row: MergeRequestRow) -> Rule:
    for rule in request_rules(call.conn, [row.id]).get(row.id, []):
        if rule.row.id == call.params.approval_rule_id:
            return rule
    raise RecordNotFound


def _find_editable_rule(call: Call[OneRule], row: MergeRequestRow) -> Rule:
    rule = _find(call, row)
    if rule.is_code_owner:
        raise Texts(403, ["Prohibited"])
    return rule


def _again(call: Call, row: MergeRequestRow, rule_id: int) -> ApprovalRule:
    rules = request_rules(call.conn, [row.id])[row.id]
    return _present(call, [rule for rule in rules if rule.row.id == rule_id])[0]


def find_editable(call: Call[OneMergeRequest]) -> MergeRequestWithProject:
    """The request, where the caller may edit its rules and the project lets anybody."""
    row = find_then_authorize(call)
    if not may_edit_rules(call, row):
        raise Texts(403, ["Prohibited"])
    return row


@routes.get(PATH, params=ListRules, returns=list[ApprovalRule])
def list_merge_request_approval_rules(call: Call[ListRules]) -> Answer:
    """Approval rules of a request."""
    row = find_then_authorize(call)
    rules = request_rules(call.conn, [row.id]).get(row.id, [])
    return call.page_of_list(rules, lambda inner, part: _present(inner, list(part)))


@routes.get(f"{PATH}/{{approval_rule_id}}", params=OneRule, returns=ApprovalRule)
def get_merge_request_approval_rule(call: Call[OneRule]) -> Answer:
    """One approval rule of a request."""
    return _present(call, [_find(call, find_then_authorize(call))])[0]


@routes.post(PATH, params=CreateRule, returns=ApprovalRule)
def create_merge_request_approval_rule(call: Call[CreateRule]) -> Answer:
    """Give a request an approval rule of its own."""
    row, options = find_editable(call), call.params
    values: dict[str, Any] = {
        "name": options.name,
        "approvals_required": options.approvals_required,
        "is_modified": True,
    }
    with call.write() as tx:
        people, groups = named_people(tx, call)
        if options.approval_project_rule_id is not None:
            return _copy_project_rule(call, tx, row, (people, groups))
        created = rule_commands.create_rule(tx, REQUEST, row.id, values, people or [], groups or [])
    return _again(call, row, created)


def _copy_project_rule(
    call: Call[CreateRule], tx: Connection, row: MergeRequestRow, links: tuple[list[int] | None, list[int] | None]
) -> ApprovalRule:
    """The project's rule with another number of approvals; a copy that is there already is changed."""
    table = approval_project_rules
    query = select(table).where(
        table.c.project_id == call.project.id, table.c.id == call.params.approval_project_rule_id
    )
    source = tx.execute(query).one_or_none()
    if source is None:
        raise RecordNotFound
    copies = [rule.row for rule in request_rules(tx, [row.id]).get(row.id, []) if rule.row.source_rule_id == source.id]
    copy = copies[0] if copies else None
    rule_id = rule_commands.copy_to_request(tx, source, copy, row.id, call.params.approvals_required, links)
    rule = next(rule for rule in request_rules(tx, [row.id])[row.id] if rule.row.id == rule_id)
    return _present(call, [rule])[0]


@routes.put(f"{PATH}/{{approval_rule_id}}", params=UpdateRule, returns=ApprovalRule)
def update_merge_request_approval_rule(call: Call[UpdateRule]) -> Answer:
    """Change an approval rule of a request."""
    row, options = find_editable(call), call.params
    rule = _find_editable_rule(call, row)
    names = ("name", "approvals_required")
    values = {name: getattr(options, name) for name in names if getattr(options, name) is not None}
    with call.write() as tx:
        people, groups = named_people(tx, call)
        rule_commands.update_rule(tx, REQUEST, rule.row, {**values, "is_modified": True}, people, groups)
    return _again(call, row, rule.row.id)


@routes.delete(f"{PATH}/{{approval_rule_id}}", params=OneRule)
def delete_merge_request_approval_rule(call: Call[OneRule]) -> None:
    """Delete an approval rule of a request."""
    row = find_editable(call)
    rule = _find_editable_rule(call, row)
    call.require_unmodified(rule.row.updated_at)
    with call.write() as tx:
        rule_commands.delete_rule(tx, REQUEST, rule.row.id)
