"""The open issues of projects are counted anew when somebody leaves with the issues that they opened."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, select

from ingot.features.issues.commands import recount_open
from ingot.features.issues.tables import issues
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
