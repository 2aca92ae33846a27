"""Endpoints of push rules: the same four for projects and groups."""

from sqlalchemy import Table, select

from ingot.access.call import Call
from ingot.features.code.push_rules import commands
from ingot.features.code.push_rules.entities import (
    GroupPushRule,
    ProjectPushRule,
    present_group_rule,
    present_project_rule,
)
from ingot.features.code.push_rules.params import SetPushRule
from ingot.features.code.push_rules.policy import ADMIN_GROUP_PUSH_RULES, ADMIN_PUSH_RULES, CHANGE_PUSH_RULES
from ingot.features.code.push_rules.rows import ProjectPushRuleRow, PushRuleRow
from ingot.features.code.push_rules.tables import group_push_rules, project_push_rules
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import Body, Failure, NotFound

routes = Routes("Push rules", tier="premium")
PROJECT, GROUP = "/projects/{id}/push_rule", "/groups/{id}/push_rule"


def _project_rule(call: Call) -> ProjectPushRuleRow | None:
    query = select(project_push_rules).where(project_push_rules.c.project_id == call.project.id)
    return call.conn.execute(query).one_or_none()


def _group_rule(call: Call) -> PushRuleRow:
    query = select(group_push_rules).where(group_push_rules.c.group_id == call.group.id)
    return _existing(call.conn.execute(query).one_or_none())


def _existing(row: PushRuleRow | None) -> PushRuleRow:
    if row is None:
        raise NotFound("Push Rule")
    return row


def _delete(call: Call, table: Table, place: commands.Place, row: PushRuleRow) -> None:
    with call.write() as tx:
        call.delete_rows(tx, table, table.c.id == row.id)
        commands.report_deletion(tx, place, row)


@routes.get(PROJECT, guard=ADMIN_PUSH_RULES, returns=ProjectPushRule | None)
def get_project_push_rule(call: Call) -> Answer:
    """The push rule of a project; `null` where it has none."""
    row = _project_rule(call)
    return None if row is None else present_project_rule(row)


@routes.post(PROJECT, guard=CHANGE_PUSH_RULES, params=SetPushRule, returns=ProjectPushRule, errors=(422,))
def create_project_push_rule(call: Call[SetPushRule]) -> Answer:
    """Give a project its push rule: in effect for git, commits and branches of the API, and merges."""
    exists = Body(422, {"error": "Project push rule exists"})
    with call.write() as tx:
        commands.create(tx, project_push_rules, {"project_id": call.project.id}, call.params, exists)
    return get_project_push_rule(call)


@routes.put(PROJECT, guard=CHANGE_PUSH_RULES, params=SetPushRule, returns=ProjectPushRule)
def update_project_push_rule(call: Call[SetPushRule]) -> Answer:
    """Change the push rule of a project."""
    row = _existing(_project_rule(call))
    with call.write() as tx:
        commands.change(tx, project_push_rules, {"project_id": call.project.id}, row, call.params)
    return get_project_push_rule(call)


@routes.delete(PROJECT, guard=CHANGE_PUSH_RULES)
def delete_project_push_rule(call: Call) -> None:
    """Remove the push rule of a project."""
    _delete(call, project_push_rules, {"project_id": call.project.id}, _existing(_project_rule(call)))


@routes.get(GROUP, guard=ADMIN_GROUP_PUSH_RULES, returns=GroupPushRule)
def get_group_push_rule(call: Call) -> Answer:
    """The push rule that new projects of a group copy."""
    return present_group_rule(_group_rule(call))


@routes.post(GROUP, guard=ADMIN_GROUP_PUSH_RULES, params=SetPushRule, returns=GroupPushRule, errors=(422,))
def create_group_push_rule(call: Call[SetPushRule]) -> Answer:
    """Give a group its push rule. Projects that exist keep theirs."""
    exists = Failure(422, "Group push rule exists, try updating")
    with call.write() as tx:
        row = commands.create(tx, group_push_rules, {"group_id": call.group.id}, call.params, exists)
    return present_group_rule(row)


@routes.put(GROUP, guard=ADMIN_GROUP_PUSH_RULES, params=SetPushRule, returns=GroupPushRule)
def update_group_push_rule(call: Call[SetPushRule]) -> Answer:
    """Change the push rule of a group."""
    row = _group_rule(call)
    with call.write() as tx:
        changed = commands.change(tx, group_push_rules, {"group_id": call.group.id}, row, call.params)
    return present_group_rule(changed)


@routes.delete(GROUP, guard=ADMIN_GROUP_PUSH_RULES)
def delete_group_push_rule(call: Call) -> None:
    """Remove the push rule of a group. Projects keep what they copied."""
    _delete(call, group_push_rules, {"group_id": call.group.id}, _group_rule(call))
