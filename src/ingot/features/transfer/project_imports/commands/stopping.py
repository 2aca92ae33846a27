"""Cancelling an import of any kind, and going on with one that was cancelled or that failed.

A cancelled import can write nothing any more. Its archive is kept for some days, so that it can go on where it stopped.
"""

from datetime import timedelta

from sqlalchemy import Connection, delete, select, update

from ingot.access.rows import ProjectRow
from ingot.access.tables import projects
from ingot.features.spaces.projects import filling_keys, mark_canceled
from ingot.features.transfer.project_imports.builders.numbers import forget_marks
from ingot.features.transfer.project_imports.commands.dropping import drop_archive
from ingot.features.transfer.project_imports.rows import ProjectImportRow
from ingot.features.transfer.project_imports.tables import import_progress, project_imports, relation_imports
from ingot.kit.actor import Actor
from ingot.kit.clock import now
from ingot.kit.errors import Conflict, NotFound
from ingot.kit.jobs import JobView, NotRetryable, cancel, find_job, list_steps, retry

STOPPED = ("failed", "canceled")
KEPT = timedelta(days=6)  # less than ended jobs are kept
# The steps that fill the repository anew, of the kinds of jobs that do.
FILLS = {"project_import": "repository", "fork_project": "copy"}
NOTHING_RUNS = "The import has already finished and cannot be cancelled."
NOT_AGAIN = (
    "This import cannot be resumed: its data is no longer available, or the repository was filled in another way."
)


def cancel_import(tx: Connection, project: ProjectRow, actor: Actor) -> None:
    """End the import that is under way, from an archive, a URL, a template or another project."""
    # The jobs first: one that ends in this moment locks its row before that of the project.
    for key in _keys(tx, project.id):
        cancel(tx, key=key)
    if not mark_canceled(tx, project.id, f"@{actor.username} cancelled the import."):
        raise Conflict(NOTHING_RUNS)
    open_ones = update(project_imports).where(project_imports.c.project_id == project.id, ~project_imports.c.ended)
    tx.execute(open_ones.values(updated_at=now()))


def retry_import(tx: Connection, project: ProjectRow) -> None:
    """Let an import that was cancelled or failed go on where it stopped."""
    # The project first: until this transaction ends, nobody else ends the import for good.
    mine = update(projects).where(projects.c.id == project.id, projects.c.import_status.in_(STOPPED))
    if tx.execute(mine.values(import_status="scheduled", import_error=None, updated_at=now())).rowcount != 1:
        raise Conflict(NOT_AGAIN)
    stopped = find_import_job(tx, project.id)
    if stopped is None or not _can_be_tried_again(tx, project, stopped):
        raise Conflict(NOT_AGAIN)
    try:
        retry(tx, stopped.id)
    except NotRetryable:
        raise Conflict(NOT_AGAIN) from None


def can_go_on(conn: Connection, project: ProjectRow) -> bool:
    """Whether `retry_import` would."""
    if project.import_status not in STOPPED:
        return False
    stopped = find_import_job(conn, project.id)
    return stopped is not None and _can_be_tried_again(conn, project, stopped)


def _can_be_tried_again(conn: Connection, project: ProjectRow, stopped: JobView) -> bool:
    """It has ended, and does not begin by replacing what somebody has pushed meanwhile."""
    if stopped.state not in ("failed", "cancelled"):
        return False
    first = FILLS.get(stopped.kind)
    return first is None or project.empty_repo or first in dict(list_steps(conn, stopped.id))


def find_import_job(conn: Connection, project_id: int) -> JobView | None:
    """The job that fills the project or did so last, as long as it is remembered and can be tried again."""
    jobs = [job for key in _keys(conn, project_id) if (job := find_job(conn, key)) is not None]
    return max(jobs, key=lambda job: (job.ended_at is None, job.id), default=None)


def cancel_relation_import(tx: Connection, project: ProjectRow, number: int) -> None:
    """End the import of one relation; what it has stored stays, and another attempt skips it."""
    table = relation_imports
    mine = (table.c.id == number, table.c.project_id == project.id)
    if tx.execute(select(table.c.id).where(*mine)).first() is None:
        raise NotFound
    cancel(tx, key=f"relation-import-{number}")
    if not end_relation_import(tx, number):
        raise Conflict(NOTHING_RUNS)


def end_relation_import(tx: Connection, number: int) -> bool:
    """The import of one relation has failed or was cancelled; False where it had ended already."""
    table = relation_imports
    row = tx.execute(
        select(table).where(table.c.id == number, table.c.status.in_(("created", "started")))
    ).one_or_none()
    if row is None:
        return False
    drop_archive(tx, row.blob_key)
    forget_marks(tx, row.project_id)
    tx.execute(update(table).where(table.c.id == number).values(status="failed", blob_key=None, updated_at=now()))
    tx.execute(delete(import_progress).where(import_progress.c.owner == f"relation-{number}"))
    return True


def end_import(tx: Connection, row: ProjectImportRow) -> None:
    """Nothing of this import is needed any more: its archive goes, and where it came from is forgotten."""
    table = project_imports
    tx.execute(update(table).where(table.c.id == row.id).values(ended=True, sealed_url=None, blob_key=None))
    drop_archive(tx, row.blob_key)
    forget_marks(tx, row.project_id)
    tx.execute(delete(import_progress).where(import_progress.c.owner == f"import-{row.id}"))


def end_old_cancelled_imports(tx: Connection) -> int:
    """End imports that were cancelled days ago and did not go on; returns how many."""
    table = project_imports
    old = (
        select(table)
        .join_from(table, projects, projects.c.id == table.c.project_id)
        .where(~table.c.ended, projects.c.import_status == "canceled", table.c.updated_at < now() - KEPT)
        .with_for_update(of=projects)
    )
    rows = tx.execute(old).all()
    for row in rows:
        end_import(tx, row)
    return len(rows)


def _keys(conn: Connection, project_id: int) -> tuple[str, ...]:
    table = project_imports
    mine = select(table.c.id).where(table.c.project_id == project_id, ~table.c.ended)
    archives = tuple(f"import-{number}" for number in conn.execute(mine).scalars())
    return (*archives, *filling_keys(project_id))
