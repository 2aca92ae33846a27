"""Repository storages: choosing one for a new project, and moving a project to another."""

import secrets
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager

from sqlalchemy import Connection, select, update

from ingot.access.rows import RepositoryRow
from ingot.access.subjects import Project
from ingot.access.tables import projects
from ingot.features.spaces.projects.commands.repository import KINDS, make_repository, repository_of
from ingot.features.spaces.projects.commands.settling_storage import find_storage, queue_settling, settle_soon
from ingot.gitstore import Repository, storages_of, writers
from ingot.gitstore.moving import Move
from ingot.instance import application_setting
from ingot.kit.clock import now
from ingot.kit.db import hold_row
from ingot.kit.errors import Conflict, Invalid
from ingot.kit.services import Services

FILLED = "The project is being imported or forked. Try again later."
COMING = ("scheduled", "started")  # an import or fork fills the repository


def require_storage(services: Services, name: str) -> None:
    """Refuse a storage that this instance does not have."""
    if name not in storages_of(services).roots:
        raise Invalid({"repository_storage_moves": ["is invalid"]})


def choose_storage(services: Services, conn: Connection) -> str:
    """One of the storages, chosen by the instance's weights; without weights, the first."""
    weights = application_setting(conn, "repository_storages_weighted")
    usable = {name: weights[name] for name in storages_of(services).roots if weights.get(name, 0) > 0}
    if not usable:
        return str(next(iter(storages_of(services).roots)))
    return str(secrets.SystemRandom().choices(list(usable), list(usable.values()))[0])


def move_storage(services: Services, project: Project, target: str) -> None:
    """Move the project's repositories; where it breaks off, the project stays where it is and nothing else is left."""
    require_storage(services, target)
    if target == project.repository_storage:
        return
    try:
        for _ in move_steps(services, project, target):
            pass
    finally:
        settle_soon(services, project.id)


def move_steps(services: Services, project: Project, target: str) -> Iterator[str]:
    """Names each step when it is done. After any of them the row names a place that is whole, and a job that was queued
    before the first clears the others, whoever is killed meanwhile."""
    with services.db.write() as tx:
        _require_movable(tx, project)
        queue_settling(tx, project.id)
    yield "noted"
    home = make_repository(services, project)
    moves: dict[str, Move] = {}
    with ExitStack() as held:
        held.enter_context(home.tidying())
        with services.db.read() as conn:
            _require_movable(conn, project)
        _copy(services, project, target, moves, held)
        yield "copied"
        # The code first: then no wiki is begun any more.
        for source in filter(Repository.exists, _repositories(services, project)):
            held.enter_context(source.lock())
            held.enter_context(writers.closed(source.path))
        _copy(services, project, target, moves, held)
        yield "caught up"
        with _sealed(services, project, moves):
            yield "sealed"
            for move in moves.values():
                move.arrive()
            yield "arrived"
            with services.db.write() as tx:
                hold_row(tx, projects, project.id)
                _require_movable(tx, project)
                moved = update(projects).where(projects.c.id == project.id)
                tx.execute(moved.values(repository_storage=target, updated_at=now()))
            yield "switched"
        for move in reversed(moves.values()):
            move.leave()
        yield "left"


def _repositories(services: Services, project: RepositoryRow) -> list[Repository]:
    return [repository_of(services, project, kind) for kind in KINDS]


def _copy(services: Services, project: Project, target: str, moves: dict[str, Move], held: ExitStack) -> None:
    """Copy what is there, or what has changed since the last call: a wiki may have been begun."""
    for kind, source in zip(KINDS, _repositories(services, project), strict=True):
        if kind not in moves and source.exists():
            if kind:
                held.enter_context(source.tidying())
            moves[kind] = Move(source, storages_of(services).repository(target, project.id, kind))
    for move in moves.values():
        move.copy()


@contextmanager
def _sealed(services: Services, project: Project, moves: Mapping[str, Move]) -> Iterator[None]:
    """Refuse writers in the old place for good, also if this process dies here; unless the move comes to nothing."""
    try:
        for move in moves.values():
            writers.seal(move.source.path)
        yield
    except BaseException:
        # Whether a commit that failed took place is known to the database alone.
        if find_storage(services, project.id) == project.repository_storage:
            for move in moves.values():
                writers.unseal(move.source.path)
        raise


def _require_movable(conn: Connection, project: Project) -> None:
    """Somebody else may have moved it since it was looked up: its row must not name a place where nothing is."""
    query = select(projects.c.repository_storage, projects.c.import_status).where(projects.c.id == project.id)
    row = conn.execute(query).one_or_none()
    if row is None or row.repository_storage != project.repository_storage:
        raise Conflict("The project was just moved by another user.")
    if row.import_status in COMING:
        raise Conflict(FILLED)
