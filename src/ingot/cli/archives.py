"""`ingot export` and `ingot import`: archives without a client, with progress and a closing table."""

import logging
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ingot.cli.options import DATA, DATABASE
from ingot.cli.output import show_table
from ingot.cli.progress import bars, read_with_bar
from ingot.cli.ready import existing_services, load_settings, require_git
from ingot.cli.refusals import Refusal, no_project, no_user

if TYPE_CHECKING:
    from ingot.kit.actor import Actor
    from ingot.kit.services import Services


def export_command(
    project: str = typer.Argument(help="ID or full path of the project."),
    file: Path = typer.Argument(help="Archive file to write (….tar.gz)."),
    force: bool = typer.Option(False, "--force", help="Overwrite an existing file."),
    data: str | None = DATA,
    database_url: str | None = DATABASE,
) -> None:
    """Write a project to an archive."""
    require_git()
    services = existing_services(load_settings(data=data, database_url=database_url))
    from ingot.access.subjects import find_project
    from ingot.features.transfer.project_exports import write_archive
    from ingot.kit.actor import Actor

    with services.db.read() as conn:
        project_row = find_project(conn, Actor(user_id=0, is_admin=True), project)
    if project_row is None:
        raise no_project(project)
    if file.exists() and not force:
        raise Refusal(f"{file} already exists. Use --force to overwrite it.")
    counts: dict[str, int] = {}
    partial = file.with_name(f"{file.name}.part")
    try:
        with bars() as shown, partial.open("wb") as target:
            shown.bytes("archive", 0)

            def report(relation: str, count: int) -> None:
                counts[relation] = count
                shown.bytes("archive", target.tell())
                if count:
                    shown.records(relation, count, ended=True)

            write_archive(services, project_row, target, None, report, group_members=True, addresses=True)
            shown.bytes("archive", target.tell(), target.tell())
        partial.replace(file)
    finally:
        partial.unlink(missing_ok=True)
    show_table(["relation", "records"], [[name, count] for name, count in counts.items() if count])
    sys.stdout.write(f"{project_row.full_path} is in {file} ({file.stat().st_size:,} bytes).\n")


def import_command(
    file: Path = typer.Argument(help="Archive file to import."),
    path: str = typer.Argument(help="Full path of the new project, as namespace/name."),
    user: str = typer.Option("root", help="User who imports the project."),
    overwrite: bool = typer.Option(False, "--overwrite", help="Replace an existing project with the same path."),
    data: str | None = DATA,
    database_url: str | None = DATABASE,
) -> None:
    """Read a project from an archive."""
    require_git()
    services = existing_services(load_settings(data=data, database_url=database_url))
    if not file.is_file():
        raise Refusal(f"{file} does not exist. Specify an archive created by `ingot export` or GitLab.")
    # Errors are shown at the end, in one sentence.
    logging.getLogger("ingot").addHandler(logging.NullHandler())
    project_id, import_id = _schedule(services, file, path, user, overwrite=overwrite)
    _work(services, import_id)
    _close(services, project_id, import_id)


def _schedule(services: "Services", file: Path, path: str, user: str, *, overwrite: bool) -> tuple[int, int]:
    from uuid import uuid4

    from sqlalchemy import select

    from ingot.features.transfer.project_imports import (
        ImportOptions,
        project_imports,
        schedule_import,
        target_namespace,
    )
    from ingot.kit.errors import ApiError

    actor = _actor(services, user)
    parent, _, name = path.strip("/").rpartition("/")
    key = f"imports/{uuid4().hex}.tar.gz"
    with bars() as shown:
        services.blobs.put_chunks(key, read_with_bar(file, shown))
    options = ImportOptions(
        path=name, namespace=parent or None, overwrite=overwrite, blob_key=key, correlation_id=uuid4().hex
    )
    try:
        with services.db.write() as tx:
            space = target_namespace(tx, actor, options.namespace)
            project_id = schedule_import(services, tx, actor, space, options)
            query = select(project_imports.c.id).where(project_imports.c.project_id == project_id)
            return project_id, int(tx.execute(query).scalar_one())
    except ApiError as error:
        services.blobs.delete(key)
        reason = error.text.rstrip(".")
        if error.status == 404:
            reason = f"there is no group or user {parent}; create it first, or specify another one"
        raise Refusal(f"The import was rejected: {reason}.") from error


def _actor(services: "Services", user: str) -> "Actor":
    from ingot.identity.authentication import actor_of_user, user_by_name_or_id

    with services.db.read() as conn:
        row = user_by_name_or_id(conn, user)
    if row is None:
        raise no_user(user)
    return actor_of_user(row)


def _work(services: "Services", import_id: int) -> None:
    """Run the import here (or let a running server do it) and show its progress."""
    from sqlalchemy import select

    from ingot.features.transfer.project_imports import import_progress, project_imports
    from ingot.kit.jobs import JobWorker

    worker = JobWorker(services.db, services, concurrency=1)
    worker.start()
    try:
        with bars() as shown:
            while True:
                with services.db.read() as conn:
                    done = select(import_progress).where(import_progress.c.owner == f"import-{import_id}")
                    for row in conn.execute(done):
                        shown.records(row.relation, row.stored)
                    ended = select(project_imports.c.ended).where(project_imports.c.id == import_id)
                    if conn.execute(ended).scalar_one_or_none() in (True, None):
                        return
                time.sleep(0.1)
    finally:
        worker.stop()


def _close(services: "Services", project_id: int, import_id: int) -> None:
    from sqlalchemy import select

    from ingot.access.tables import projects
    from ingot.features.transfer.project_imports import summary_of

    with services.db.read() as conn:
        project = conn.execute(select(projects).where(projects.c.id == project_id)).one()
        rows, people = summary_of(conn, import_id)
    if project.import_status == "failed":
        from ingot.features.spaces.projects import delete_for_good

        delete_for_good(services, project_id)
        raise Refusal(f"The import failed and was rolled back: {project.import_error}")
    show_table(["relation", "held", "stored", "failed"], [row for row in rows if any(row[1:])])
    show_table(["people of the archive", "here"], people)
    sys.stdout.write(f"{project.full_path} was imported.\n")
