"""Housekeeping of repositories: stale files of killed processes, loose objects and packs."""

from typing import Any

from sqlalchemy import select

from ingot.access.tables import projects
from ingot.features.spaces.projects import queue_packing, repository_of
from ingot.gitstore import fsck, packing
from ingot.gitstore.errors import LockTimeout
from ingot.kit.jobs import Run, enqueue, periodic

BATCH = 500


@periodic("tidy_repositories", every=24 * 3600, long=True)
def tidy_repositories(run: Run) -> None:
    """Walk over all repositories: remove stale files, and queue a packing where it is worth it."""
    last = 0
    while rows := _after(run, last):
        for row in rows:
            run.check()
            repository = repository_of(run.services, row)
            if not repository.exists():
                continue
            try:
                fsck.remove_stale_files(repository)
            except LockTimeout:
                continue  # busy: tomorrow
            if fsck.is_untidy(repository):
                with run.db.write() as tx:
                    enqueue(tx, "tidy_repository", args={"project_id": row.id}, key=f"tidy_repository-{row.id}")
            elif packing.needs_packing(repository):
                with run.db.write() as tx:
                    queue_packing(tx, row.id)
        last = rows[-1].id


def _after(run: Run, last: int) -> list[Any]:
    statement = (
        select(projects.c.id, projects.c.repository_storage)
        .where(projects.c.id > last, projects.c.pending_delete.is_(False))
        .order_by(projects.c.id)
        .limit(BATCH)
    )
    with run.db.read() as conn:
        return list(conn.execute(statement))
