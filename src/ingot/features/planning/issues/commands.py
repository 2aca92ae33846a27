"""Closing and reopening issues, and the project's count of open ones. Opening and changing are in `editing`."""

from collections.abc import Sequence

from sqlalchemy import Connection, bindparam, func, insert, select, update

from ingot.access.tables import projects
from ingot.features.people.event_log import record_event
from ingot.features.planning.issuables import Source, Target
from ingot.features.planning.issues.tables import issue_state_events, issues
from ingot.features.planning.notes import add_system_note
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now


def close_issue(
    tx: Connection, issue_id: int, user_id: int | None, via: str = "", source: Source | None = None
) -> bool:
    """Close an open issue; returns whether it was open.

    `via` names what closed it (`merge request !4`), and `source` refers to it if it is in another project.
    """
    moment = now()
    closed = tx.execute(
        update(issues)
        .where(issues.c.id == issue_id, issues.c.state == "opened")
        .values(state="closed", closed_at=moment, closed_by_id=user_id, updated_at=moment)
    )
    if closed.rowcount:
        _moved(tx, issue_id, user_id, "closed", f"closed via {via}" if via else "closed", -1, source)
    return bool(closed.rowcount)


def reopen_issue(tx: Connection, issue_id: int, user_id: int | None) -> bool:
    """Reopen a closed issue; returns whether it was closed."""
    opened = tx.execute(
        update(issues)
        .where(issues.c.id == issue_id, issues.c.state == "closed")
        .values(state="opened", closed_at=None, closed_by_id=None, updated_at=now())
    )
    if opened.rowcount:
        _moved(tx, issue_id, user_id, "reopened", "reopened", 1)
    return bool(opened.rowcount)


def _moved(
    tx: Connection, issue_id: int, user_id: int | None, state: str, body: str, by: int, source: Source | None = None
) -> None:
    project_id = tx.execute(select(issues.c.project_id).where(issues.c.id == issue_id)).scalar_one()
    count_open(tx, issue_id, by)
    tx.execute(insert(issue_state_events).values(issue_id=issue_id, user_id=user_id, state=state, created_at=now()))
    add_system_note(tx, Target("Issue", issue_id, project_id), user_id, state, body, source=source)
    record_event(tx, state, project_id, user_id, ("Issue", issue_id))
    report_change(tx, Change("issue", state, issue_id, project_id=project_id, user_id=user_id))


def recount_open(tx: Connection, project_ids: Sequence[int]) -> None:
    """Recount the open issues of projects, after a bulk removal."""
    counted = select(func.count()).where(issues.c.project_id == projects.c.id, issues.c.state == "opened")
    tx.execute(
        update(projects).where(projects.c.id.in_(project_ids)).values(open_issues_count=counted.scalar_subquery())
    )


_COUNT_OPEN = (
    update(projects)
    .where(projects.c.id == select(issues.c.project_id).where(issues.c.id == bindparam("issue")).scalar_subquery())
    .values(open_issues_count=projects.c.open_issues_count + bindparam("difference"))
)


def count_open(tx: Connection, issue_id: int, by: int) -> None:
    """Update the project's number of open issues."""
    tx.execute(_COUNT_OPEN, {"issue": issue_id, "difference": by})
