"""When and how wikis are packed: after writes that left many files, and where the daily walk finds such."""

from collections.abc import Iterator

from sqlalchemy import Connection, select

from ingot.access.tables import projects
from ingot.features.code.wikis.tables import wikis
from ingot.features.code.wikis.wiki import KIND, Owner, group_repository
from ingot.features.spaces.projects import repository_of
from ingot.gitstore import Repository, fsck, packing
from ingot.kit.jobs import Run, enqueue
from ingot.kit.services import Services

BATCH = 500

_OF_PROJECTS = select(projects.c.id, projects.c.repository_storage)


def queue_packing(services: Services, owner: Owner, repository: Repository) -> None:
    """Queue a packing where it is worth its work."""
    if packing.needs_packing(repository):
        key = f"pack_wiki-{owner['project_id']}-{owner['group_id']}"
        with services.db.write() as tx:
            enqueue(tx, "pack_wiki", args=owner, key=key)


def pack(repository: Repository) -> None:
    """Join what writes left, and drop what nothing reaches any more where that is much: no row needs old commits."""
    if fsck.is_untidy(repository):
        fsck.tidy(repository, keep=tuple)
    else:
        packing.pack(repository)


def find_repository(services: Services, conn: Connection, owner: Owner) -> Repository | None:
    """The wiki's repository; None where there is none any more."""
    if owner["group_id"] is not None:
        repository = group_repository(services, owner["group_id"])
    else:
        row = conn.execute(_OF_PROJECTS.where(projects.c.id == owner["project_id"])).one_or_none()
        if row is None:
            return None
        repository = repository_of(services, row, KIND)
    return repository if repository.exists() else None


def all_wikis(run: Run) -> Iterator[tuple[Owner, Repository]]:
    """The wikis that exist. All projects are looked at: an imported wiki has no row before it is written to."""
    last = 0
    living = _OF_PROJECTS.where(projects.c.pending_delete.is_(False)).order_by(projects.c.id).limit(BATCH)
    while True:
        with run.db.read() as conn:
            rows = conn.execute(living.where(projects.c.id > last)).all()
        if not rows:
            break
        for row in rows:
            repository = repository_of(run.services, row, KIND)
            if repository.exists():
                yield {"project_id": row.id, "group_id": None}, repository
        last = rows[-1].id
    with run.db.read() as conn:
        groups = conn.execute(select(wikis.c.group_id).where(wikis.c.group_id.is_not(None))).scalars().all()
    for group_id in groups:
        repository = group_repository(run.services, group_id)
        if repository.exists():
            yield {"project_id": None, "group_id": group_id}, repository
