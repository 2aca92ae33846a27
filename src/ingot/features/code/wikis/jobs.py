"""Completing writes whose process died before it could record them, and packing."""

from datetime import timedelta

from sqlalchemy import Connection, select

from ingot.access.tables import namespaces, projects
from ingot.features.code.wikis.following import follow
from ingot.features.code.wikis.packing import all_wikis, find_repository, pack, queue_packing
from ingot.features.code.wikis.rows import WikiRow
from ingot.features.code.wikis.tables import wikis
from ingot.features.code.wikis.wiki import Wiki, wiki_of_group, wiki_of_project
from ingot.gitstore import fsck
from ingot.gitstore.errors import LockTimeout
from ingot.kit.clock import now
from ingot.kit.jobs import Run, job, periodic
from ingot.kit.services import Services

PATIENCE = timedelta(seconds=60)
# A write that has moved nothing by then was abandoned; git itself allows an hour.
GIVEN_UP = timedelta(hours=2)
PER_RUN = 200


@periodic("wiki_follow_up", every=30.0)
def complete_writes(run: Run) -> None:
    """Record what interrupted writes did; the mark of one that moved nothing is removed in the end."""
    due = select(wikis).where(wikis.c.writing_since < now() - PATIENCE).order_by(wikis.c.id).limit(PER_RUN)
    with run.db.read() as conn:
        rows: list[WikiRow] = list(conn.execute(due))
    for row in rows:
        run.check()
        with run.db.read() as conn:
            wiki = _wiki(run.services, conn, row)
        is_waiting = row.writing_since is not None and row.writing_since > now() - GIVEN_UP
        if wiki is not None and not (is_waiting and wiki.head == row.head):
            follow(run.services, wiki, row.writer_id, None, wiki.head)


def _wiki(services: Services, conn: Connection, row: WikiRow) -> Wiki | None:
    if row.project_id is not None:
        project = conn.execute(select(projects).where(projects.c.id == row.project_id)).one_or_none()
        return None if project is None else wiki_of_project(services, project)
    group = conn.execute(select(namespaces).where(namespaces.c.id == row.group_id)).one_or_none()
    return None if group is None else wiki_of_group(services, group)


@job("pack_wiki", retries=0, long=True)
def pack_wiki(run: Run, project_id: int | None, group_id: int | None) -> None:
    """Pack what writes left, so that clones stay cheap; nobody waits for it."""
    with run.db.read() as conn:
        repository = find_repository(run.services, conn, {"project_id": project_id, "group_id": group_id})
    if repository is not None:
        pack(repository)


@periodic("tidy_wikis", every=24 * 3600, long=True)
def tidy_wikis(run: Run) -> None:
    """Walk over all wikis: remove stale files, and queue a packing where it is worth it."""
    for owner, repository in all_wikis(run):
        run.check()
        try:
            fsck.remove_stale_files(repository)
        except LockTimeout:
            continue  # busy: tomorrow
        queue_packing(run.services, owner, repository)
