"""Background work of exports: making the archive, delivering it, and forgetting it after a day."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import timedelta
from typing import IO

from sqlalchemy import Connection, delete, select, update

from ingot.access.levels import OWNER
from ingot.access.rows import ProjectRow
from ingot.access.subjects import find_group, find_project
from ingot.features.transfer.project_exports.commands.deliver import replace_file, send_mail, upload_archive
from ingot.features.transfer.project_exports.commands.write import Progress, Workplace, write_archive
from ingot.features.transfer.project_exports.names import archive_name
from ingot.features.transfer.project_exports.stages import STORE, UPLOAD, Stand
from ingot.features.transfer.project_exports.tables import project_export_files, project_exports
from ingot.gitstore import GitError
from ingot.identity.authentication import actor_of_user
from ingot.identity.tables import users
from ingot.kit.actor import Actor
from ingot.kit.blobs import StoreUnavailable
from ingot.kit.blobs.references import refers_to_blobs
from ingot.kit.clock import now
from ingot.kit.jobs import OUTAGE_BACKOFF, OUTAGE_RETRIES, JobFailed, Run, enqueue, job, periodic

SYSTEM = Actor(user_id=0, is_admin=True)
FILES_LIVE = timedelta(hours=24)
ROWS_LIVE = timedelta(days=7)

refers_to_blobs("exports/", lambda: select(project_export_files.c.blob_key))
refers_to_blobs("exports/", lambda: select(project_exports.c.blob_key), planned=True)


def _failed(tx: Connection, args: Mapping[str, object], sentence: str) -> None:
    tx.execute(
        update(project_exports)
        .where(project_exports.c.id == args["export_id"], project_exports.c.status.in_(("queued", "started")))
        .values(status="failed", error=sentence, sealed_upload_url=None, updated_at=now())
    )
    export_id = int(str(args["export_id"]))
    args = {"export_id": export_id, "sentence": sentence}
    enqueue(tx, "project_export_failure_mail", key=f"project_export_failure_mail-{export_id}", args=args)


@job("project_export_failure_mail", retries=0)
def mail_failure(run: Run, export_id: int, sentence: str) -> None:
    """The mail about an export that failed."""
    with run.db.read() as conn:
        export = conn.execute(select(project_exports).where(project_exports.c.id == export_id)).one_or_none()
        project = None if export is None else find_project(conn, SYSTEM, export.project_id)
    if export is not None and project is not None:
        send_mail(run.services, export, project, sentence)


@job("project_export", retries=OUTAGE_RETRIES, backoff=OUTAGE_BACKOFF, failed=_failed, long=True)
def export_project(run: Run, export_id: int) -> None:
    """Make the archive, send it where it should go, and notify the person who asked."""
    services = run.services
    with run.db.read() as conn:
        export = conn.execute(select(project_exports).where(project_exports.c.id == export_id)).one_or_none()
        project = None if export is None else find_project(conn, SYSTEM, export.project_id)
    if export is None or export.status not in ("queued", "started"):
        return
    if project is None:
        raise JobFailed("The project is gone.")
    with run.db.read() as conn:
        rights = _rights(conn, project, export.user_id)
    key = f"exports/{export.project_id}/{export_id}.tar.gz"
    with run.db.write() as tx:
        tx.execute(
            update(project_exports)
            .where(project_exports.c.id == export_id)
            .values(status="started", blob_key=key, updated_at=now())
        )
    name = archive_name(export.created_at, project.full_path)

    def make() -> int:
        if not run.is_first_attempt:
            services.blobs.exists(key)  # fail early while the store is unreachable
        with Workplace(services) as folder:
            path, words, stand = folder / "archive.tar.gz", export.description, Stand()
            try:
                with path.open("wb") as target:
                    report = _progress(run, stand, target)
                    write_archive(services, project, target, words, report, stand, **rights)
            except GitError as error:
                if getattr(error, "status", None) in (503, 507):  # a full disk, a busy repository: it may pass
                    raise
                raise JobFailed(f"The repository could not be exported: {error.message}") from None
            run.check()
            stand.begin(STORE)
            run.progress(**stand.counters(path.stat().st_size))
            return int(services.blobs.take_file(key, path, content_type="application/gzip", filename=name))

    size = run.step("archive", make)
    error = None
    if export.sealed_upload_url is not None:
        sealed, method = export.sealed_upload_url, export.upload_method or "PUT"
        error = run.step("upload", lambda: upload_archive(services, sealed, method, _sent(run, key, size), size))
    old = run.step("replace", lambda: replace_file(services, export, key, name, size, error))
    if old is not None:
        with suppress(StoreUnavailable):  # otherwise the sweep removes it
            services.blobs.delete(old)
    run.step("tell", lambda: send_mail(services, export, project, error))


def _rights(conn: Connection, project: ProjectRow, user_id: int) -> dict[str, bool]:
    """What the requester may see: members of groups that they manage, hidden addresses."""
    row = conn.execute(select(users).where(users.c.id == user_id)).one_or_none()
    if row is None:
        return {}
    group = find_group(conn, actor_of_user(row), project.namespace_id)
    manages = group is not None and (row.is_admin or group.level >= OWNER)
    return {"group_members": manages, "addresses": bool(row.is_admin)}


def _progress(run: Run, stand: Stand, target: IO[bytes]) -> Progress:
    def report(name: str, _count: int) -> None:
        run.check()
        run.progress(label=name, **stand.counters(target.tell()))

    return report


def _sent(run: Run, key: str, size: int) -> Iterator[bytes]:
    """The pieces of a finished archive, counted as they are sent."""
    stand = Stand()
    stand.begin(UPLOAD, bytes_total=size)
    for chunk in run.services.blobs.chunks(key):
        run.progress(**stand.counters(size))
        yield chunk
        stand.bytes += len(chunk)


@periodic("project_export_retention", every=3600.0)
def forget_exports(run: Run) -> None:
    """Archives live for a day, rows for a week."""
    files, jobs, moment = project_export_files, project_exports, now()
    with run.db.read() as conn:
        query = select(files).where(files.c.created_at < moment - FILES_LIVE).limit(1000)
        old = conn.execute(query).all()
    for file in old:
        run.check()
        with run.db.write() as tx:
            tx.execute(
                delete(files).where(
                    files.c.project_id == file.project_id,
                    files.c.user_id == file.user_id,
                    files.c.blob_key == file.blob_key,
                )
            )
        run.services.blobs.delete(file.blob_key)
    with run.db.write() as tx:
        tx.execute(
            delete(jobs).where(jobs.c.status.in_(("finished", "failed")), jobs.c.updated_at < moment - ROWS_LIVE)
        )
