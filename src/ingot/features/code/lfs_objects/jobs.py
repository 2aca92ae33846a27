"""Collecting objects of Git LFS that no pointer names any more. Their content goes with the daily sweep of blobs."""

import logging
from collections.abc import Iterator

from sqlalchemy import delete, select

from ingot.access.tables import projects
from ingot.features.code.lfs_objects.commands import YOUNG
from ingot.features.code.lfs_objects.queries import AT_ONCE
from ingot.features.code.lfs_objects.tables import lfs_objects
from ingot.features.spaces.projects import change_size, repository_of
from ingot.gitstore import GitError, Repository
from ingot.gitstore.pointers import all_pointers
from ingot.kit.clock import now
from ingot.kit.jobs import Run, periodic

log = logging.getLogger("ingot.lfs")

REPOSITORIES = ("", "wiki", "design")
COMING = ("scheduled", "started")  # an import or fork fills the repository
UNFILLED = ("failed", "canceled")


@periodic("collect_lfs_objects", every=24 * 3600, long=True)
def collect_lfs_objects(run: Run) -> None:
    """Take objects from projects whose repository, wiki and forks have no pointer to them, when they are a day old."""
    for project_id in _projects_with_objects(run):
        run.check()
        try:
            _collect(run, project_id)
        except GitError as fault:
            # A damaged repository keeps its objects, and must not keep those of all other projects.
            log.warning("Objects of project %s were not looked through: %s", project_id, fault)


def _projects_with_objects(run: Run) -> Iterator[int]:
    last = 0
    while True:
        query = select(lfs_objects.c.project_id).where(lfs_objects.c.project_id > last)
        with run.db.read() as conn:
            project_id = conn.execute(query.order_by(lfs_objects.c.project_id).limit(1)).scalar_one_or_none()
        if project_id is None:
            return
        yield project_id
        last = project_id


def _collect(run: Run, project_id: int) -> None:
    """The list comes before the search: what is pushed meanwhile is renewed, and stays."""
    old = (lfs_objects.c.project_id == project_id) & (lfs_objects.c.created_at < now() - YOUNG)
    with run.db.read() as conn:
        unused = {row.oid: row.id for row in conn.execute(select(lfs_objects.c.oid, lfs_objects.c.id).where(old))}
    repositories = _repositories(run, project_id) if unused else None
    if repositories is None:
        return
    for repository in repositories:
        for name in all_pointers(repository) if repository.exists() else ():
            unused.pop(name, None)
            if not unused:
                return
        run.check()
    ids = sorted(unused.values())
    for start in range(0, len(ids), AT_ONCE):
        gone = delete(lfs_objects).where(old, lfs_objects.c.id.in_(ids[start : start + AT_ONCE]))
        with run.db.write() as tx:
            sizes = tx.execute(gone.returning(lfs_objects.c.size)).scalars().all()
            change_size(tx, project_id, "lfs_objects_size", -sum(sizes))


def _repositories(run: Run, project_id: int) -> list[Repository] | None:
    """Whose pointers keep the objects of a project: its own, and those of its forks.

    Forks of an earlier version have no objects of their own and read those of their source. None while one of them is
    being filled or is not there: a storage that is away today says nothing.
    """
    forks = (projects.c.forked_from_id == project_id) & projects.c.import_status.not_in(UNFILLED)
    with run.db.read() as conn:
        rows = conn.execute(select(projects).where((projects.c.id == project_id) | forks)).all()
    mains = [repository_of(run.services, row) for row in rows]
    if any(row.import_status in COMING for row in rows) or not all(main.exists() for main in mains):
        return None
    others = [repository_of(run.services, row, kind) for row in rows for kind in REPOSITORIES if kind]
    return [*mains, *others]
