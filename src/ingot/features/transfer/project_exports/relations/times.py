"""Time that was spent."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, select

from ingot.features.planning.time_tracking import timelogs
from ingot.features.transfer.project_exports.records import stamp, times
from ingot.kit.entity import group_by


def timelogs_of(conn: Connection, kind: str, ids: Sequence[int]) -> dict[int, list[dict[str, Any]]]:
    """Time logs of a batch of issues or merge requests."""
    column = timelogs.c.issue_id if kind == "Issue" else timelogs.c.merge_request_id
    records = conn.execute(select(timelogs).where(column.in_(ids)).order_by(timelogs.c.id))
    return {
        owner: [
            {
                "time_spent": row.time_spent,
                "user_id": row.user_id,
                "spent_at": stamp(row.spent_at),
                "project_id": row.project_id,
                "summary": row.summary,
                **times(row),
            }
            for row in rows
        ]
        for owner, rows in group_by(records, lambda row: getattr(row, column.name)).items()
    }
