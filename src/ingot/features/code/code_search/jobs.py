"""Background work of the index."""

from sqlalchemy import Connection, exists, select

from ingot.access.tables import projects
from ingot.features.code.code_search.indexing import TURN, update_index
from ingot.features.code.code_search.repairing import outdated_projects
from ingot.features.code.code_search.sweeping import remove_unused, unused
from ingot.features.code.code_search.tables import code_indexes
from ingot.features.spaces.projects import queue_refresh
from ingot.kit.db import take_turn
from ingot.kit.jobs import Run, enqueue, job, periodic

PER_RUN = 200


def queue_index(tx: Connection, project_id: int) -> None:
    """Queue an update of a project's index."""
    args = {"project_id": project_id}
    enqueue(tx, "index_code", args=args, key=f"index_code-{project_id}", subject=f"project:{project_id}", rerun=True)


def queue_sweep(tx: Connection) -> None:
    """Queue the removal of contents that nobody has."""
    enqueue(tx, "sweep_code_contents", key="sweep_code_contents", rerun=True)


def queue_restored(tx: Connection) -> None:
    """Queue a look for branches that are newer than a database that was restored."""
    enqueue(tx, "index_restored_code", key="index_restored_code", rerun=True)


@job("index_restored_code", long=True)
def index_restored_code(run: Run) -> None:
    """Count and index the commits that are newer than the restored database, which nobody announces."""
    for project_id in outdated_projects(run.services):
        run.check()
        with run.db.write() as tx:
            queue_refresh(tx, project_id)


@job("index_code", long=True)
def index_code(run: Run, project_id: int) -> None:
    """Bring the index of a project to the head of its default branch."""
    update_index(run.services, project_id, run.check)


@job("sweep_code_contents", long=True)
def sweep_code_contents(run: Run) -> None:
    """Remove the contents of deleted projects."""
    _sweep(run)


@periodic("sweep_code_index", every=24 * 3600.0, long=True)
def sweep_code_index(run: Run) -> None:
    """Remove contents that interrupted work left behind."""
    _sweep(run)


@periodic("index_unknown_code", every=3600.0)
def index_unknown_code(run: Run) -> None:
    """Queue projects that have code and no index: those that are older than the index."""
    known = exists().where(code_indexes.c.project_id == projects.c.id)
    unknown = (projects.c.empty_repo.is_(False), projects.c.pending_delete.is_(False), ~known)
    with run.db.write() as tx:
        ids = tx.execute(select(projects.c.id).where(*unknown).order_by(projects.c.id).limit(PER_RUN)).scalars().all()
        for project_id in ids:
            queue_index(tx, project_id)


def _sweep(run: Run) -> None:
    after = 0
    while True:
        run.check()
        with run.db.read() as conn:
            ids = list(conn.execute(unused(after)).scalars())
        if not ids:
            return
        with run.db.write() as tx:
            take_turn(tx, TURN)
            remove_unused(tx, ids)
        after = ids[-1]
