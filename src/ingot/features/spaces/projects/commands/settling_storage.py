"""After a move to another storage, also one that was killed: what the project's row does not name is cleared."""

import logging
from datetime import timedelta

from sqlalchemy import Connection, select

from ingot.access.tables import projects
from ingot.features.spaces.projects.commands.repository import KINDS
from ingot.gitstore import Repository, storages_of, writers
from ingot.gitstore.errors import LockTimeout, RepositoryMoved, RepositoryNotFound
from ingot.gitstore.storage import clear, clear_unfinished
from ingot.kit import jobs
from ingot.kit.clock import now
from ingot.kit.services import Services

log = logging.getLogger("ingot.projects")

# Most moves have ended by then, and have cleared the old place themselves.
PATIENCE = timedelta(minutes=1)


def queue_settling(tx: Connection, project_id: int) -> None:
    """Have it settled later, whatever happens to the process that moves it. Not a job that goes with the project."""
    key, due = f"settle_storage-{project_id}", now() + PATIENCE
    jobs.enqueue(tx, "settle_storage", args={"project_id": project_id}, key=key, run_after=due, rerun=True)


def settle_soon(services: Services, project_id: int) -> None:
    """Settle it at once if possible; else the job does."""
    try:
        settle_storage(services, project_id)
    except Exception as error:  # noqa: BLE001 - whatever it is, the outcome of the move is known already
        log.warning("a moved project could not be settled", extra={"project_id": project_id, "error": str(error)})


def settle_storage(services: Services, project_id: int) -> bool:
    """Clear every storage but the one that the row names. False: somebody is moving it, or still writes there.

    Whoever moves a project holds the lock of its code at the place that the row names.
    """
    storages, storage = storages_of(services), find_storage(services, project_id)
    if storage is None:
        return clear_everywhere(services, project_id)
    if storage not in storages.roots:
        return True
    here = {kind: storages.repository(storage, project_id, kind) for kind in KINDS}
    try:
        for repository in here.values():
            _reopen(services, project_id, storage, repository)
        with here[""].tidying(seconds=0):
            if find_storage(services, project_id) != storage:
                return False
            done = [_clear_others(services, project_id, storage, kind, here[kind]) for kind in KINDS]
            return all(done)
    except RepositoryNotFound:
        return True  # there is none: what lies elsewhere may be all that there is
    except (LockTimeout, RepositoryMoved):
        return False


def clear_everywhere(services: Services, project_id: int) -> bool:
    """Delete the repositories of a project that is gone, and what moves left of them."""
    storages = storages_of(services)
    places = [storages.repository(name, project_id, kind) for name in storages.roots for kind in KINDS]
    done = [clear(place) for place in places]
    return all(done)


def find_storage(services: Services, project_id: int) -> str | None:
    """What the row names now; never a remembered answer."""
    with services.db.write() as tx:
        query = select(projects.c.repository_storage).where(projects.c.id == project_id)
        return tx.execute(query).scalar_one_or_none()


def _reopen(services: Services, project_id: int, storage: str, repository: Repository) -> None:
    """Let writers in again where a move was killed before the row named the new place."""
    if writers.is_sealed(repository.path):
        with writers.closed(repository.path, seconds=1):
            if find_storage(services, project_id) == storage:
                writers.unseal(repository.path)


def _clear_others(services: Services, project_id: int, storage: str, kind: str, here: Repository) -> bool:
    storages = storages_of(services)
    clear_unfinished(here)
    done = True
    for name in storages.roots:
        there = storages.repository(name, project_id, kind)
        if name == storage:
            continue
        if there.exists() and not here.exists():
            # Not a copy: storages that were restored from another time than the database.
            log.warning("a repository lies on another storage than its project", extra={"path": str(there.path)})
            continue
        done = clear(there) and done
    return done
