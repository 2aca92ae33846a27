"""The rules of new requests, and what approvals say about merging."""

from collections.abc import Sequence

from sqlalchemy import Connection, bindparam, select

from ingot.events import MergeRequestChanged
from ingot.features.review.approvals import before_merge, commands, filters, outdated, rule_numbers
from ingot.features.review.approvals.state import NOT_APPROVED, states, with_rules
from ingot.features.review.approvals.tables import approvals
from ingot.features.review.merge_requests import (
    PAGE,
    MergeRequestRow,
    MergeRequestWithProject,
    approver_source,
    find_by_id,
    merge_request_reviewers,
    on_change,
    on_retarget,
    register_check,
)
from ingot.kit.events import listen
from ingot.kit.services import Services

REGISTERED = (before_merge, filters, rule_numbers)  # importing them registers what they add to merge requests

_CHANGES_REQUESTED = select(merge_request_reviewers.c.merge_request_id).where(
    merge_request_reviewers.c.merge_request_id.in_(PAGE),
    merge_request_reviewers.c.state == "requested_changes",
)


on_change(outdated.follow_change)
on_retarget(outdated.follow_retarget)


@register_check(1, "requested_changes", _CHANGES_REQUESTED)
def changes_requested(_conn: Connection, rows: Sequence[MergeRequestRow]) -> set[int]:
    """A reviewer wants changes."""
    return {row.id for row in rows}


@register_check(2, NOT_APPROVED, with_rules(PAGE))
def lacking_approvals(conn: Connection, rows: Sequence[MergeRequestWithProject]) -> set[int]:
    """An applicable rule lacks approvals."""
    result = states(conn, rows)
    return {row.id for row in rows if row.state != "merged" and not result[row.id].is_approved}


@listen(MergeRequestChanged, order=10)
def add_rules(services: Services, event: MergeRequestChanged) -> None:
    """A new request gets the rules of its project."""
    if event.what != "opened":
        return
    with services.db.read() as conn:
        row = find_by_id(conn, event.merge_request_id)
    if row is None:
        return
    with services.db.write() as tx:
        commands.copy_project_rules(tx, row.id, row.project_id, row.target_branch)
        if row.approvals_before_merge is not None:
            before_merge.apply_opening_number(tx, row)


_APPROVERS = (
    select(approvals.c.user_id).where(approvals.c.merge_request_id == bindparam("id")).order_by(approvals.c.created_at)
)


@approver_source
def approver_ids(conn: Connection, merge_request_id: int) -> list[int]:
    """Who approved a request."""
    return list(conn.execute(_APPROVERS, {"id": merge_request_id}).scalars())
