"""Changing issues."""

from sqlalchemy import Connection, select, update

from ingot.access.tables import projects
from ingot.features.issues.tables import issues
from ingot.kit.clock import now


def close_issue(tx: Connection, issue_id: int, user_id: int | None) -> bool:
    """Close an open issue; says whether it was open."""
    moment = now()
    closed = tx.execute(
        update(issues)
        .where(issues.c.id == issue_id, issues.c.state == "opened")
        .values(state="closed", closed_at=moment, closed_by_id=user_id, updated_at=moment)
    )
    if closed.rowcount:
        count_open(tx, issue_id, -1)
    return bool(closed.rowcount)


def count_open(tx: Connection, issue_id: int, by: int) -> None:
    """Keep the project's number of open issues."""
    owner = select(issues.c.project_id).where(issues.c.id == issue_id).scalar_subquery()
    tx.execute(
        update(projects).where(projects.c.id == owner).values(open_issues_count=projects.c.open_issues_count + by)
    )
