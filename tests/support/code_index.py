"""The index of code in tests: brought up to date without the pause that follows a push."""

from sqlalchemy import update

from ingot.kit.clock import now
from ingot.kit.jobs.tables import QUEUED, jobs
from tests.support.server import RunningServer
from tests.support.waiting import LIMIT

ROUNDS = 10


def index_code(server: RunningServer, limit: float = LIMIT) -> None:
    """Do all background work, that of the last push included, and what this work asks for in its turn."""
    for _ in range(ROUNDS):
        is_more = _end_pauses(server)
        server.run_jobs(limit)
        if not is_more and not _end_pauses(server):
            return
    raise RuntimeError("the index of code asks for more and more work")


def _end_pauses(server: RunningServer) -> bool:
    """Let projects be indexed now; whether any waited."""
    with server.services.db.write() as tx:
        waiting = (jobs.c.kind == "refresh_project", jobs.c.state == QUEUED)
        return tx.execute(update(jobs).where(*waiting).values(run_after=now())).rowcount > 0
