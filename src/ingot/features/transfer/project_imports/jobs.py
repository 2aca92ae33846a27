"""Background work of imports: fetching, storing, single relations, and cleaning up."""

import shutil
import time
from collections.abc import Mapping
from functools import partial

from sqlalchemy import Connection, delete, select, update

from ingot.access.rows import ProjectRow
from ingot.access.subjects import find_project
from ingot.access.tables import projects
from ingot.archives.pace import Pace
from ingot.features.transfer.project_imports.builders.numbers import forget_marks
from ingot.features.transfer.project_imports.commands.dropping import drop_archive
from ingot.features.transfer.project_imports.commands.relation import run_relation_import
from ingot.features.transfer.project_imports.commands.run import SYSTEM, Workplace, failure_text, run_import
from ingot.features.transfer.project_imports.commands.stopping import (
    end_import,
    end_old_cancelled_imports,
    end_relation_import,
)
from ingot.features.transfer.project_imports.remote import FetchFailed, fetch
from ingot.features.transfer.project_imports.rows import ProjectImportRow
from ingot.features.transfer.project_imports.tables import import_progress, project_imports, relation_imports
from ingot.identity.tables import users
from ingot.kit.blobs.references import refers_to_blobs
from ingot.kit.clock import now
from ingot.kit.jobs import OUTAGE_BACKOFF, OUTAGE_RETRIES, JobFailed, Run, TimedOut, job, periodic
from ingot.kit.sealing import Unreadable, unseal
from ingot.kit.services import Services

LEFT_BEHIND = 24 * 3600
LONGEST = 15 * 3600  # seconds that one attempt at an import may take

refers_to_blobs("imports/", lambda: select(project_imports.c.blob_key))
refers_to_blobs("imports/", lambda: select(relation_imports.c.blob_key))


@job("import_archive_removal", retries=OUTAGE_RETRIES, backoff=OUTAGE_BACKOFF)
def remove_archive(run: Run, key: str) -> None:
    """Remove the archive of an ended import."""
    run.services.blobs.delete(key)


def _import_failed(tx: Connection, args: Mapping[str, object], sentence: str) -> None:
    table = project_imports
    row = tx.execute(select(table).where(table.c.id == args["import_id"])).one_or_none()
    if row is None or row.ended:
        return
    tx.execute(
        update(projects)
        .where(projects.c.id == row.project_id)
        .values(import_status="failed", import_error=sentence, updated_at=now())
    )
    end_import(tx, row)


@job(
    "project_import",
    retries=OUTAGE_RETRIES,
    backoff=OUTAGE_BACKOFF,
    failed=_import_failed,
    timeout=LONGEST,
    long=True,
)
def import_project(run: Run, import_id: int) -> None:
    """Fetch the archive if it is elsewhere, then store what it holds."""
    table = project_imports
    with run.db.read() as conn:
        row = conn.execute(select(table).where(table.c.id == import_id)).one_or_none()
        if row is None or row.ended:
            return
        project = find_project(conn, SYSTEM, row.project_id)
        importer = conn.execute(select(users).where(users.c.id == row.user_id)).one_or_none()
    if project is None or importer is None:
        raise JobFailed("The project or its importer is gone.")
    with run.db.write() as tx:
        tx.execute(
            update(projects)
            .where(projects.c.id == project.id, projects.c.import_status == "scheduled")
            .values(import_status="started")
        )
    if row.blob_key is None:
        run.step("fetch", partial(_fetch, run, row, project))
        with run.db.read() as conn:
            row = conn.execute(select(table).where(table.c.id == import_id)).one()
    try:
        run_import(run, row, project, importer)
    except TimedOut:
        raise JobFailed(f"Import timed out. Import took longer than {LONGEST} seconds") from None


def _fetch(run: Run, result: ProjectImportRow, project: ProjectRow) -> str:
    services, key = run.services, f"imports/{result.id}-fetched.tar.gz"
    pace = Pace("archive")

    def report(done: int, total: int) -> None:
        run.check()
        run.progress(label="archive", **pace.counters(done, total))

    try:
        with Workplace(services) as folder:
            target = folder / "archive.tar.gz"
            fetch(services, unseal(services, result.sealed_url or ""), target, report)
            services.blobs.take_file(key, target)
    except (FetchFailed, Unreadable) as failure:
        raise JobFailed(failure_text(project, str(failure))) from None
    with run.db.write() as tx:
        tx.execute(update(project_imports).where(project_imports.c.id == result.id).values(blob_key=key))
    return key


def _relation_failed(tx: Connection, args: Mapping[str, object], sentence: str) -> None:
    del sentence  # the reason is written down as a failure record
    end_relation_import(tx, int(str(args["relation_import_id"])))


@job("relation_import", retries=OUTAGE_RETRIES, backoff=OUTAGE_BACKOFF, failed=_relation_failed, long=True)
def import_relation(run: Run, relation_import_id: int) -> None:
    """Store one relation of an archive again, skipping what is there."""
    table = relation_imports
    with run.db.read() as conn:
        row = conn.execute(select(table).where(table.c.id == relation_import_id)).one_or_none()
        if row is None or row.status not in ("created", "started"):
            return
        project = find_project(conn, SYSTEM, row.project_id)
        importer = conn.execute(select(users).where(users.c.id == row.user_id)).one_or_none()
    if project is None or importer is None:
        raise JobFailed("The project or its importer is gone.")
    with run.db.write() as tx:
        tx.execute(update(table).where(table.c.id == row.id).values(status="started", updated_at=now()))
    run_relation_import(run, row, project, importer)
    with run.db.write() as tx:
        values = {"status": "finished", "blob_key": None, "updated_at": now()}
        tx.execute(update(table).where(table.c.id == row.id).values(values))
        forget_marks(tx, row.project_id)
        tx.execute(delete(import_progress).where(import_progress.c.owner == f"relation-{row.id}"))
        drop_archive(tx, row.blob_key)


@periodic("archive_work_folders", every=3600.0)
def sweep_work_folders(run: Run) -> None:
    """Remove work folders of killed processes, of imports and exports, and archives of imports that do not go on."""
    sweep_folders(run.services, older_than=LEFT_BEHIND)
    with run.db.write() as tx:
        end_old_cancelled_imports(tx)


def sweep_folders(services: Services, older_than: float) -> int:
    """Remove old work folders; returns how many."""
    base = services.settings.data_folder / "tmp"
    count = 0
    for folder in [*base.glob("import-*"), *base.glob("export-*")] if base.is_dir() else []:
        if time.time() - folder.stat().st_mtime > older_than:
            shutil.rmtree(folder, ignore_errors=True)
            count += 1
    return count
