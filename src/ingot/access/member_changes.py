"""Reports that somebody's membership changed, in the transaction that changes it."""

from datetime import date, datetime
from typing import Protocol

from sqlalchemy import Connection

from ingot.kit.changes import Change, report_change


class MembershipRow(Protocol):
    """What may be read of a row of `members`."""

    user_id: int
    group_id: int | None
    project_id: int | None
    access_level: int
    expires_at: date | None
    created_at: datetime
    updated_at: datetime


class Role(Protocol):
    """What somebody may be until when."""

    access_level: int
    expires_at: date | None


def report_member(
    tx: Connection, user_id: int, before: Role | None, *, group_id: int | None = None, project_id: int | None = None
) -> None:
    """Somebody has another role than `before`, or a first one."""
    action, details = ("add", {}) if before is None else ("update", {"before": before})
    report_change(tx, Change("member", action, user_id, project_id=project_id, group_id=group_id, details=details))


def report_removal(tx: Connection, row: MembershipRow) -> None:
    """Somebody's membership ended; its row is gone."""
    details = {"member": row}
    change = Change("member", "remove", row.user_id, project_id=row.project_id, group_id=row.group_id, details=details)
    report_change(tx, change)
