"""The legacy list of approvers: represented by the rule `Default`."""

from collections.abc import Sequence

from sqlalchemy import Connection, select

from ingot.access.levels import Visibility
from ingot.access.rows import ProjectRow
from ingot.access.tables import project_authorizations
from ingot.features.review.approvals import legacy, rule_commands
from ingot.features.review.approvals.rows import ApprovalRuleRow
from ingot.features.review.approvals.rule_commands import PROJECT, RuleTables
from ingot.features.review.approvals.state import Rule, project_rules
from ingot.identity.tables import users

NAME = "Default"


def is_approver_rule(rule: Rule) -> bool:
    """It represents the legacy list."""
    return bool(rule.row.rule_type == "regular" and rule.row.name == NAME)


def approver_rules(conn: Connection, project_id: int) -> list[Rule]:
    """The rule of a project's list, if there is one."""
    return [rule for rule in project_rules(conn, [project_id]).get(project_id, []) if is_approver_rule(rule)]


def find_approvers(conn: Connection, project: ProjectRow, user_ids: Sequence[int]) -> list[int]:
    """The users among the given ids who can see a request: members, and in public projects everybody."""
    query = select(users.c.id).where(users.c.id.in_(list(user_ids)), users.c.state == "active").order_by(users.c.id)
    if project.visibility != Visibility.PUBLIC:
        members = select(project_authorizations.c.user_id).where(project_authorizations.c.project_id == project.id)
        query = query.where(users.c.id.in_(members))
    return list(conn.execute(query).scalars())


def replace_approvers(
    tx: Connection,
    tables: RuleTables,
    owner_id: int,
    rule: ApprovalRuleRow | None,
    people: list[int],
    groups: list[int],
    **more: bool,
) -> None:
    """Set the users of the rule (None: there is none yet); it is deleted without users."""
    if not people and not groups:
        if rule is not None:
            rule_commands.delete_rule(tx, tables, rule.id)
        return
    if rule is None:
        number = legacy.required(tx, tables, owner_id)
        values = {"name": NAME, "approvals_required": number, "rule_type": "regular", **more}
        rule_commands.create_rule(tx, tables, owner_id, values, people, groups)
        return
    rule_commands.update_rule(tx, tables, rule, dict(more), people, groups)
    if tables is PROJECT:
        rule_commands.spread(tx, rule.id)
