"""Ended jobs are kept for a while to be looked at, then deleted in small batches."""

from datetime import timedelta

from sqlalchemy import Connection, select

from ingot.kit.jobs.counting import database_now
from ingot.kit.jobs.queue import forget
from ingot.kit.jobs.registry import periodic
from ingot.kit.jobs.run import Run
from ingot.kit.jobs.tables import FAILED, jobs

KEEP_DAYS = 7
KEEP_FAILED_DAYS = 30
BATCH = 500


@periodic("job_retention", every=3600.0)
def delete_old_jobs(run: Run) -> None:
    """Delete ended jobs past their time, a batch per transaction."""
    deleted = 0
    while True:
        run.check()
        with run.db.write() as tx:
            batch = delete_batch(tx)
        deleted += batch
        run.progress(done=deleted, label="ended jobs deleted")
        if batch < BATCH:
            return


def delete_batch(tx: Connection) -> int:
    """Delete at most one batch of ended jobs that are older than their keeping time."""
    moment = database_now(tx)
    failed = (jobs.c.state == FAILED) & (jobs.c.ended_at < moment - timedelta(days=KEEP_FAILED_DAYS))
    other = (jobs.c.state != FAILED) & (jobs.c.ended_at < moment - timedelta(days=KEEP_DAYS))
    ids = list(tx.execute(select(jobs.c.id).where(failed | other).limit(BATCH)).scalars())
    forget(tx, ids)
    return len(ids)
