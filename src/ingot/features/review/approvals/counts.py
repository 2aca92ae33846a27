"""How many approvals the requests of a list have, and how many they need; in a fixed number of statements."""

from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection, bindparam, func, select

from ingot.features.review.approvals.state import has_rules, states
from ingot.features.review.approvals.tables import approvals
from ingot.features.review.merge_requests import MergeRequestWithProject


class ApprovalCount(msgspec.Struct, frozen=True):
    """The approvals of one request; where none is needed, all that were given."""

    given: int
    required: int


_GIVEN = (
    select(approvals.c.merge_request_id, func.count().label("number"))
    .where(approvals.c.merge_request_id.in_(bindparam("ids", expanding=True)))
    .group_by(approvals.c.merge_request_id)
)


def approval_counts(
    conn: Connection, rows: Sequence[MergeRequestWithProject], *, paid: bool
) -> dict[int, ApprovalCount]:
    """By request; those without approvals that need none are left out."""
    if not rows:
        return {}
    given = {row.merge_request_id: row.number for row in conn.execute(_GIVEN, {"ids": [row.id for row in rows]})}
    result = {number: ApprovalCount(count, 0) for number, count in given.items()}
    # Rules are of the paid tiers.
    if paid and has_rules(conn, rows):
        for number, state in states(conn, rows).items():
            if needed := state.approvals_required:
                result[number] = ApprovalCount(needed - state.approvals_left, needed)
    return result
