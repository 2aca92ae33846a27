"""Estimates and spent time; every change is logged and noted."""

from datetime import datetime

import msgspec
from sqlalchemy import Connection, delete, func, insert, select, update

from ingot.features.planning.issuable_changes import Snapshot, snapshot
from ingot.features.planning.issuables import Target, get_kind
from ingot.features.planning.notes import add_system_note
from ingot.features.planning.time_tracking.tables import timelogs
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now
from ingot.kit.durations import human
from ingot.kit.errors import Invalid


class Spent(msgspec.Struct, frozen=True):
    """Time spent, in seconds; negative values subtract."""

    seconds: int
    summary: str | None = None
    spent_at: datetime | None = None


def set_estimate(tx: Connection, target: Target, user_id: int, seconds: int) -> None:
    """Set the estimate; zero removes it."""
    table, before = get_kind(target.type).table, snapshot(tx, target)
    tx.execute(update(table).where(table.c.id == target.id).values(time_estimate=seconds, updated_at=now()))
    text = f"changed time estimate to {human(seconds)}" if seconds else "removed time estimate"
    add_system_note(tx, target, user_id, "time_tracking", text)
    _report(tx, target, user_id, before)


def spend(tx: Connection, target: Target, user_id: int, spent: Spent) -> None:
    """Log time; at most the spent time can be subtracted."""
    column = timelogs.c[get_kind(target.type).key]
    table = get_kind(target.type).table
    # The row's lock first: two people may log time at once.
    tx.execute(select(table.c.id).where(table.c.id == target.id).with_for_update())
    logged = tx.execute(select(func.coalesce(func.sum(timelogs.c.time_spent), 0)).where(column == target.id))
    if int(logged.scalar_one()) + spent.seconds < 0:
        raise Invalid({"base": ["Time to subtract exceeds the total time spent"]})
    moment, before = now(), snapshot(tx, target)
    verb = "added" if spent.seconds > 0 else "subtracted"
    text = f"{verb} {human(abs(spent.seconds))} of time spent"
    note_id = add_system_note(tx, target, user_id, "time_tracking", text)
    tx.execute(
        insert(timelogs).values(
            project_id=target.project_id,
            user_id=user_id,
            time_spent=spent.seconds,
            spent_at=spent.spent_at or moment,
            summary=spent.summary,
            note_id=note_id,
            created_at=moment,
            updated_at=moment,
            **{column.name: target.id},
        )
    )
    store_total(tx, target)
    _report(tx, target, user_id, before)


def reset_spent(tx: Connection, target: Target, user_id: int) -> None:
    """Reset the time spent."""
    before = snapshot(tx, target)
    tx.execute(delete(timelogs).where(timelogs.c[get_kind(target.type).key] == target.id))
    store_total(tx, target)
    add_system_note(tx, target, user_id, "time_tracking", "removed time spent")
    _report(tx, target, user_id, before)


def _report(tx: Connection, target: Target, user_id: int, before: Snapshot) -> None:
    """Report what has changed to the followers of changes."""
    states = {"before": before, "after": snapshot(tx, target)}
    word = get_kind(target.type).word
    report_change(tx, Change(word, "update", target.id, project_id=target.project_id, user_id=user_id, details=states))


def store_total(tx: Connection, target: Target) -> None:
    """Store the sum that lists show."""
    kind = get_kind(target.type)
    total = select(func.coalesce(func.sum(timelogs.c.time_spent), 0)).where(timelogs.c[kind.key] == target.id)
    tx.execute(
        update(kind.table)
        .where(kind.table.c.id == target.id)
        .values(total_time_spent=total.scalar_subquery(), updated_at=now())
    )
