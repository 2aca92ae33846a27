"""Repository storages: choosing one for a new project, and moving a project to another."""

import secrets
from contextlib import ExitStack

from sqlalchemy import Connection, select, update

from ingot.access.subjects import Project
from ingot.access.tables import projects
from ingot.features.spaces.projects.commands.repository import repository_of
from ingot.gitstore import storages_of
from ingot.gitstore.moving import Move
from ingot.instance import application_setting
from ingot.kit.clock import now
from ingot.kit.db import hold_row
from ingot.kit.errors import Conflict, Invalid
from ingot.kit.services import Services

KINDS = ("", "wiki", "design")


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
    """Copy the project's repositories, point the row at the copies, then bring those up to date and remove the old."""
    require_storage(services, target)
    if target == project.repository_storage:
        return
    moves: dict[str, Move] = {}
    with ExitStack() as locks:
        for kind in KINDS * 2:  # twice: a wiki may have been begun while the code was copied
            source = repository_of(services, project, kind)
            if kind not in moves and source.exists():
                locks.enter_context(source.tidying())
                locks.enter_context(source.lock())
                with services.db.read() as conn:
                    _require_here(conn, project)
                moves[kind] = Move(source, storages_of(services).repository(target, project.id, kind))
                moves[kind].copy()
        with services.db.write() as tx:
            hold_row(tx, projects, project.id)
            _require_here(tx, project)
            moved = update(projects).where(projects.c.id == project.id)
            tx.execute(moved.values(repository_storage=target, updated_at=now()))
        for move in moves.values():
            move.leave()
    for move in moves.values():
        move.finish()


def _require_here(conn: Connection, project: Project) -> None:
    """Somebody else may have moved it since it was looked up: its row must not name a place where nothing is."""
    query = select(projects.c.repository_storage).where(projects.c.id == project.id)
    if conn.execute(query).scalar_one_or_none() != project.repository_storage:
        raise Conflict("The project has just been moved by somebody else.")
