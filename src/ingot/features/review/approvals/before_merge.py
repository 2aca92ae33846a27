"""`approvals_before_merge` of a request: the older way to ask for a number of approvals."""

from collections.abc import Sequence

from sqlalchemy import Connection, update

from ingot.access.call import Call
from ingot.access.levels import MAINTAINER
from ingot.features.review.approval_settings import for_project, for_projects
from ingot.features.review.approvals import legacy
from ingot.features.review.approvals.rule_commands import REQUEST
from ingot.features.review.merge_requests import (
    MergeRequestRow,
    MergeRequestWithProject,
    approval_number_source,
    is_assignee,
    merge_requests,
    on_update,
)

OVERRIDING = "allow_overrides_to_approver_list_per_merge_request"


def may_edit_rules(call: Call, row: MergeRequestRow) -> bool:
    """Maintainers, the author and assignees, while the project lets requests have rules of their own."""
    actor, project = call.actor, call.project
    if project.archived or row.state == "merged" or actor.is_anonymous:
        return False
    may = actor.is_admin or project.level >= MAINTAINER or row.author_id == actor.user_id
    may = may or is_assignee(call, row)
    return may and for_project(call.conn, project)[OVERRIDING].value


@approval_number_source
def shown_numbers(conn: Connection, rows: Sequence[MergeRequestWithProject]) -> dict[int, int | None]:
    """The numbers of requests; None where their project does not let requests choose."""
    settings = for_projects(conn, {row.project_id: row.project_namespace_id for row in rows})
    return {row.id: row.approvals_before_merge if settings[row.project_id][OVERRIDING].value else None for row in rows}


def apply_opening_number(tx: Connection, row: MergeRequestWithProject) -> None:
    """The number that a request was opened with; ignored where the project does not let requests choose."""
    if shown_numbers(tx, [row])[row.id] is None:
        tx.execute(update(merge_requests).where(merge_requests.c.id == row.id).values(approvals_before_merge=None))
    else:
        set_approvals_before_merge(tx, row, row.approvals_before_merge or 0)


def set_approvals_before_merge(tx: Connection, row: MergeRequestRow, number: int) -> None:
    """Store the number, and the matching rule for all eligible users."""
    number = max(0, min(100, number))
    tx.execute(update(merge_requests).where(merge_requests.c.id == row.id).values(approvals_before_merge=number))
    legacy.set_required(tx, REQUEST, row.id, number, is_modified=True)


@on_update
def update_approvals_before_merge(call: Call, tx: Connection, row: MergeRequestRow, given: dict[str, object]) -> None:
    """The number as a parameter of the request's own update (paid tiers)."""
    number = given.get("approvals_before_merge")
    if isinstance(number, int) and call.services.settings.has_tier("premium") and may_edit_rules(call, row):
        set_approvals_before_merge(tx, row, number)
