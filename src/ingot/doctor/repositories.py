"""Repositories: whole in themselves, each with a project, each project's where it should be.

The result of the integrity check is kept on the project, where administrators can filter by it.
"""

import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Column, Connection, ForeignKey, Table, select, update
from sqlalchemy.dialects.postgresql import insert as pg_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from ingot.access.tables import projects
from ingot.doctor.finding import Finding
from ingot.gitstore import process
from ingot.gitstore.errors import GitError
from ingot.gitstore.repository import Repository
from ingot.gitstore.storage import Storages, delete
from ingot.kit.clock import now
from ingot.kit.db import Database, Id, UtcDateTime, metadata
from ingot.kit.jobs import Run, periodic
from ingot.kit.services import Services

KINDS = {"": "repository_checksum_failed", "wiki": "wiki_checksum_failed"}
YOUNG_SECONDS = 24 * 3600.0
CHECK_EVERY = timedelta(days=7)
BATCH = 20

repository_checks = Table(
    "repository_checks",
    metadata,
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True),
    Column("checked_at", UtcDateTime, nullable=False, index=True),
)


def examine(services: Services, repair: bool) -> Iterator[Finding]:
    """Check every repository; folders without a project are deleted when they are older than a day."""
    storages: Storages = services.storages
    with services.db.read() as conn:
        rows = conn.execute(select(projects.c.id, projects.c.full_path, projects.c.repository_storage)).all()
    for row in rows:
        for kind in check_project(services.db, storages, row):
            yield Finding(f"{row.full_path}: the {kind or 'repository'} is damaged.")
    for folder in _strays(storages, {int(row.id) for row in rows}):
        if repair:
            delete(Repository(folder))
        yield Finding(f"{folder} belongs to no project.", repaired=repair)
    if repair and (removed := storages.sweep()):
        yield Finding(f"{removed} folders were left by interrupted work.", repaired=True)


def check_project(db: Database, storages: Storages, row: Any) -> list[str]:
    """Check the repositories of one project, remember the result, and return the kinds that are damaged."""
    results: dict[str, bool] = {}
    for kind in KINDS:
        if row.repository_storage in storages.roots:
            repository = storages.repository(row.repository_storage, row.id, kind)
            results[kind] = repository.exists() and not _is_whole(repository)
    with db.write() as tx:
        flags = {KINDS[kind]: failed for kind, failed in results.items()}
        if flags:
            tx.execute(update(projects).where(projects.c.id == row.id).values(**flags))
        _remember(tx, row.id)
    return [kind for kind, failed in results.items() if failed]


def _is_whole(repository: Repository) -> bool:
    try:
        repository.git("fsck", "--connectivity-only", "--no-dangling", "--no-progress", limits=process.LONG)
    except GitError:
        return False
    return True


def _remember(tx: Connection, project_id: int) -> None:
    if tx.execute(select(projects.c.id).where(projects.c.id == project_id)).first() is None:
        return
    insert = sqlite_insert if tx.dialect.name == "sqlite" else pg_insert
    statement = insert(repository_checks).values(project_id=project_id, checked_at=now())
    tx.execute(statement.on_conflict_do_update(index_elements=["project_id"], set_={"checked_at": now()}))


def _strays(storages: Storages, project_ids: set[int]) -> Iterator[Path]:
    wanted = {storages.relative_path(number, kind) for number in project_ids for kind in ("", "wiki", "design")}
    for root in storages.roots.values():
        for folder in root.glob("@hashed/*/*/*.git"):
            is_young = time.time() - folder.stat().st_mtime < YOUNG_SECONDS
            if str(folder.relative_to(root)) not in wanted and not is_young:
                yield folder


@periodic("repository_check", every=3600.0)
def check_some(run: Run) -> None:
    """Check the repositories whose last check is the longest ago, a few at a time."""
    due = now() - CHECK_EVERY
    joined = projects.outerjoin(repository_checks, repository_checks.c.project_id == projects.c.id)
    statement = (
        select(projects.c.id, projects.c.repository_storage)
        .select_from(joined)
        .where((repository_checks.c.checked_at < due) | repository_checks.c.checked_at.is_(None))
        .order_by(repository_checks.c.checked_at, projects.c.id)
        .limit(BATCH)
    )
    with run.db.read() as conn:
        rows = conn.execute(statement).all()
    for done, row in enumerate(rows, 1):
        run.check()
        check_project(run.db, run.services.storages, row)
        run.progress(done=done, total=len(rows), label="repositories checked")
