"""Approval rules of the project."""

from collections.abc import Mapping

from sqlalchemy import Connection, insert, select

from ingot.features.code.protected_branches import protected_branches
from ingot.features.review.approvals import (
    approval_project_rule_branches,
    approval_project_rule_users,
    approval_project_rules,
)
from ingot.features.transfer.project_imports.context import ImportContext
from ingot.features.transfer.project_imports.values import flag, number, records, text

MODELLED = frozenset(
    [
        "name",
        "approvals_required",
        "rule_type",
        "report_type",
        "applies_to_all_protected_branches",
        "approval_project_rules_protected_branches",
        "approval_project_rules_users",
    ]
)
TYPES = ("regular", "any_approver", "report_approver", "code_owner")


def build(context: ImportContext, tx: Connection, record: Mapping[str, object]) -> None:
    """A line of `approval_rules`."""
    required = number(record, "approvals_required") or 0
    created = tx.execute(
        insert(approval_project_rules)
        .values(
            project_id=context.project.id,
            name=text(record, "name", longest=1024, required=True),
            approvals_required=max(0, min(100, required)),
            rule_type=record.get("rule_type") if record.get("rule_type") in TYPES else "regular",
            report_type=text(record, "report_type", longest=32),
            applies_to_all_protected_branches=flag(record, "applies_to_all_protected_branches"),
            created_at=context.started,
            updated_at=context.started,
        )
        .returning(approval_project_rules.c.id)
    ).scalar_one()
    people = {context.people.of(child.get("user_id")) for child in records(record, "approval_project_rules_users")}
    for user_id in sorted(item for item in people if item is not None):
        tx.execute(insert(approval_project_rule_users).values(rule_id=created, user_id=user_id))
    names = [child.get("branch_name") for child in records(record, "approval_project_rules_protected_branches")]
    known = select(protected_branches.c.id).where(
        protected_branches.c.project_id == context.project.id, protected_branches.c.name.in_(names)
    )
    for branch_id in tx.execute(known).scalars().all():
        tx.execute(insert(approval_project_rule_branches).values(rule_id=created, protected_branch_id=branch_id))
    context.keep_rest(tx, "approval_rules", created, record, MODELLED)
