"""The index of code in tests: brought up to date without the pause that follows a push."""

from sqlalchemy import update

from ingot.kit.clock import now
from ingot.kit.jobs.tables import QUEUED, jobs
from tests.support.server import RunningServer


def index_code(server: RunningServer, limit: float = 120.0) -> None:
    """Do all background work, that of the last push included."""
    with server.services.db.write() as tx:
        waiting = (jobs.c.kind == "refresh_project", jobs.c.state == QUEUED)
        tx.execute(update(jobs).where(*waiting).values(run_after=now()))
    server.run_jobs(limit)
