"""Counts of issues that projects show."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from sqlalchemy import Connection, func, select

from ingot.features.planning.issues.commands import recount_open
from ingot.features.planning.issues.tables import issues
from ingot.features.spaces.projects import hidden_issue_source
from ingot.identity.departures import Leaving, during_departure


@during_departure
@contextmanager
def recount_issues_of_leaver(tx: Connection, leaving: Leaving) -> Iterator[None]:
    """Only a hard delete removes issues."""
    if not leaving.is_hard:
        yield
        return
    opened = select(issues.c.project_id).where(issues.c.author_id == leaving.user_id, issues.c.state == "opened")
    project_ids = list(tx.execute(opened.distinct()).scalars())
    yield
    recount_open(tx, project_ids)


@hidden_issue_source
def count_confidential(conn: Connection, project_ids: Sequence[int]) -> dict[int, int]:
    """Open confidential issues by project; the others' count is the rest."""
    query = (
        select(issues.c.project_id, func.count())
        .where(issues.c.project_id.in_(project_ids), issues.c.state == "opened", issues.c.confidential)
        .group_by(issues.c.project_id)
    )
    return {row[0]: row[1] for row in conn.execute(query)}
