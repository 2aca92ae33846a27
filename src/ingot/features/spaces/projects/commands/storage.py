"""Repository storages: choosing one for a new project, and moving a project to another."""

import secrets
import shutil
import uuid

from sqlalchemy import Connection, update

from ingot.access.subjects import Project
from ingot.access.tables import projects
from ingot.features.spaces.projects.commands.repository import repository_of
from ingot.gitstore import storages_of
from ingot.gitstore.storage import delete as delete_repository
from ingot.instance import application_setting
from ingot.kit.clock import now
from ingot.kit.errors import Invalid
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
    """Copy under the repository's lock, point the row at the copy, then remove the old one."""
    require_storage(services, target)
    if target == project.repository_storage:
        return
    present = [kind for kind in KINDS if repository_of(services, project, kind).exists()]
    for kind in present:
        source = repository_of(services, project, kind)
        place = storages_of(services).repository(target, project.id, kind).path
        staging = place.with_name(f"{place.name}.new-{uuid.uuid4().hex}")
        with source.lock():
            shutil.copytree(source.path, staging)
            if place.exists():
                delete_repository(storages_of(services).repository(target, project.id, kind))
            staging.rename(place)
    with services.db.write() as tx:
        moved = update(projects).where(projects.c.id == project.id)
        tx.execute(moved.values(repository_storage=target, updated_at=now()))
    for kind in present:
        delete_repository(repository_of(services, project, kind))
