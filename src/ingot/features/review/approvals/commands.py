"""Approving, unapproving, and updating approvals when the request changes."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from ingot.features.people.event_log import record_event
from ingot.features.review.approvals.state import applies_to, project_rules, states
from ingot.features.review.approvals.tables import (
    approval_merge_request_rule_groups,
    approval_merge_request_rule_users,
    approval_merge_request_rules,
    approval_project_rule_groups,
    approval_project_rule_users,
    approvals,
    merge_request_committers,
)
from ingot.features.review.merge_requests import MergeRequestRow, find_by_id, merge_request_reviewers, merge_requests
from ingot.identity.tables import users
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now
from ingot.kit.errors import Unauthorized


def approve(tx: Connection, row: MergeRequestRow, user_id: int, patch_id: str | None) -> str | None:
    """Store the approval of the reviewed head; the reviewer's state follows.

    Returns the current head if head, base or target have changed meanwhile: nobody has reviewed that.
    """
    table = merge_requests
    columns = (table.c.head_sha, table.c.base_sha, table.c.target_branch)
    current = tx.execute(select(*columns).where(table.c.id == row.id).with_for_update()).one_or_none()
    if current is None or tuple(current) != (row.head_sha, row.base_sha, row.target_branch):
        return "" if current is None else current.head_sha or ""
    given = (approvals.c.merge_request_id == row.id) & (approvals.c.user_id == user_id)
    if tx.execute(select(approvals.c.user_id).where(given)).first() is not None:
        raise Unauthorized  # approved already by a concurrent request
    values = {"merge_request_id": row.id, "user_id": user_id, "patch_id_sha": patch_id, "created_at": now()}
    tx.execute(insert(approvals).values(values))
    set_reviewer_state(tx, row.id, [user_id], "approved")
    record_event(tx, "approved", row.project_id, user_id, ("MergeRequest", row.id))
    report_change(tx, Change("merge_request", "approved", row.id, project_id=row.project_id, user_id=user_id))
    return None


def remove_approvals(tx: Connection, merge_request_id: int, user_ids: Sequence[int]) -> None:
    """Remove approvals; reviewers go back to `unapproved`."""
    if not user_ids:
        return
    tx.execute(
        delete(approvals).where(approvals.c.merge_request_id == merge_request_id, approvals.c.user_id.in_(user_ids))
    )
    set_reviewer_state(tx, merge_request_id, user_ids, "unapproved")


def set_reviewer_state(tx: Connection, merge_request_id: int, user_ids: Sequence[int], state: str) -> None:
    """Set the review state of these users."""
    table = merge_request_reviewers
    tx.execute(
        update(table)
        .where(table.c.merge_request_id == merge_request_id, table.c.user_id.in_(user_ids))
        .values(state=state)
    )


def judge(tx: Connection, row: MergeRequestRow, user_id: int, state: str) -> bool:
    """What a reviewer finds of a request; whoever wants changes takes back an approval. False for others."""
    table = merge_request_reviewers
    own = (table.c.merge_request_id == row.id) & (table.c.user_id == user_id)
    if tx.execute(select(table.c.user_id).where(own).with_for_update()).first() is None:
        return False
    if state == "requested_changes":
        given = (approvals.c.merge_request_id == row.id) & (approvals.c.user_id == user_id)
        was_approved = is_approved(tx, row.id)
        if tx.execute(delete(approvals).where(given).returning(approvals.c.user_id)).first() is not None:
            report_withdrawal(tx, row, user_id, was_approved=was_approved)
    set_reviewer_state(tx, row.id, [user_id], state)
    return True


def is_approved(tx: Connection, merge_request_id: int) -> bool:
    """Whether a request has all approvals that it needs."""
    row = find_by_id(tx, merge_request_id)
    return row is None or states(tx, [row])[row.id].is_approved


def report_withdrawal(
    tx: Connection, row: MergeRequestRow, user_id: int | None, *, was_approved: bool, system_action: str | None = None
) -> None:
    """Report that approvals are gone; `system_action` says why, where nobody took them back."""
    details: dict[str, object] = {"was_approved": was_approved}
    if system_action is not None:
        details["system_action"] = system_action
    report_change(tx, Change("merge_request", "unapproved", row.id, row.project_id, user_id=user_id, details=details))


def store_committers(tx: Connection, merge_request_id: int, emails: set[str]) -> None:
    """Remember which users have commits in the request."""
    table = merge_request_committers
    tx.execute(delete(table).where(table.c.merge_request_id == merge_request_id))
    query = select(users.c.id).where(users.c.email_lower.in_({email.lower() for email in emails}))
    rows = [{"merge_request_id": merge_request_id, "user_id": user_id} for user_id in tx.execute(query).scalars()]
    if rows:
        tx.execute(insert(table), rows)


def copy_project_rules(tx: Connection, merge_request_id: int, project_id: int, branch: str) -> None:
    """Copy the project's rules for the target branch to a new request."""
    moment = now()
    for rule in project_rules(tx, [project_id]).get(project_id, []):
        if rule.row.rule_type not in ("regular", "any_approver") or not applies_to(rule, branch):
            continue
        created = tx.execute(
            insert(approval_merge_request_rules)
            .values(
                merge_request_id=merge_request_id,
                source_rule_id=rule.row.id,
                name=rule.row.name,
                approvals_required=rule.row.approvals_required,
                rule_type=rule.row.rule_type,
                created_at=moment,
                updated_at=moment,
            )
            .returning(approval_merge_request_rules.c.id)
        ).scalar_one()
        copy_links(tx, rule.row.id, created)


def copy_links(tx: Connection, project_rule_id: int, request_rule_id: int) -> None:
    """The people of a project's rule become those of a request's rule."""
    for source, target, column in (
        (approval_project_rule_users, approval_merge_request_rule_users, "user_id"),
        (approval_project_rule_groups, approval_merge_request_rule_groups, "group_id"),
    ):
        tx.execute(delete(target).where(target.c.rule_id == request_rule_id))
        values = tx.execute(select(source.c[column]).where(source.c.rule_id == project_rule_id)).scalars()
        rows: list[dict[str, Any]] = [{"rule_id": request_rule_id, column: one} for one in values]
        if rows:
            tx.execute(insert(target), rows)
