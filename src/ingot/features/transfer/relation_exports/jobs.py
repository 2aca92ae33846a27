"""Background work: the files of all relations, one step each, and forgetting them after a day."""

from collections.abc import Mapping
from datetime import timedelta
from functools import partial

from sqlalchemy import Connection, delete, select, update

from ingot.access.subjects import Project, find_project
from ingot.features.transfer.project_exports import Workplace
from ingot.features.transfer.relation_exports.commands import FAILED, STARTED, export_relation, keys_of
from ingot.features.transfer.relation_exports.rows import RelationExportRow
from ingot.features.transfer.relation_exports.tables import relation_export_batches, relation_exports
from ingot.gitstore import GitError
from ingot.kit.actor import Actor
from ingot.kit.blobs.references import refers_to_blobs
from ingot.kit.clock import now
from ingot.kit.jobs import OUTAGE_BACKOFF, OUTAGE_RETRIES, JobFailed, Run, job, periodic

SYSTEM = Actor(user_id=0, is_admin=True)
FILES_LIVE = timedelta(hours=24)

refers_to_blobs("relation-exports/", lambda: select(relation_exports.c.blob_key))
refers_to_blobs("relation-exports/", lambda: select(relation_export_batches.c.blob_key))


def _failed(tx: Connection, args: Mapping[str, object], sentence: str) -> None:
    table = relation_exports
    tx.execute(
        update(table)
        .where(table.c.run == args["run"], table.c.status == STARTED)
        .values(status=FAILED, error=sentence, updated_at=now())
    )


@job("relation_exports", retries=OUTAGE_RETRIES, backoff=OUTAGE_BACKOFF, failed=_failed, long=True)
def export_relations(run_: Run, project_id: int, user_id: int, run: str) -> None:
    """The files of all relations; a newer request ends this work."""
    table = relation_exports
    waiting = select(table).where(table.c.project_id == project_id, table.c.user_id == user_id, table.c.run == run)
    with run_.db.read() as conn:
        project = find_project(conn, SYSTEM, project_id)
        rows = conn.execute(waiting.where(table.c.status == STARTED).order_by(table.c.id)).all()
    if project is None:
        raise JobFailed("The project is gone.")
    for row in rows:
        run_.check()
        with run_.db.read() as conn:
            if conn.execute(waiting.where(table.c.id == row.id)).first() is None:
                return
        run_.step(f"relation {row.relation}", partial(_export, run_, project, row))


def _export(run: Run, project: Project, row: RelationExportRow) -> None:
    with Workplace(run.services) as folder:
        try:
            export_relation(run.services, project, row, folder)
        except GitError as error:
            values = {"status": FAILED, "error": f"The repository could not be exported: {error.message}"}
            with run.db.write() as tx:
                tx.execute(update(relation_exports).where(relation_exports.c.id == row.id).values(**values))


@periodic("relation_export_retention", every=3600.0)
def forget_relation_exports(run: Run) -> None:
    """Files and rows live for a day."""
    old = relation_exports.c.updated_at < now() - FILES_LIVE
    with run.db.write() as tx:
        keys = keys_of(tx, old)
        tx.execute(delete(relation_exports).where(old))
    for key in keys:
        run.services.blobs.delete(key)
