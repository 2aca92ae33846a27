"""The repository of a new project, created right after its rows are committed."""

import logging
from contextlib import suppress

from sqlalchemy import select, update

from ingot.access.rows import ProjectRow, RepositoryRow
from ingot.access.tables import projects
from ingot.events import Pushed, RefChange
from ingot.gitstore import Person, Repository, storages_of
from ingot.gitstore.commit import CommitOptions, FileAction, create_commit
from ingot.gitstore.errors import RepositoryExists, RepositoryMoved
from ingot.gitstore.storage import create, delete
from ingot.kit.actor import Actor
from ingot.kit.events import announce
from ingot.kit.services import Services

log = logging.getLogger("ingot.projects")

KINDS = ("", "wiki", "design")


def repository_of(services: Services, project: RepositoryRow, kind: str = "") -> Repository:
    """The repository of a loaded project."""
    return storages_of(services).repository(project.repository_storage, project.id, kind)


def clear_place(services: Services, storage: str, project_id: int) -> None:
    """Remove leftovers at the place of a new project's repositories.

    Storages that were restored from a later copy than the database hold repositories of projects that it does not
    know; their numbers are given out again, their content must not be.
    """
    for kind in KINDS:
        result = storages_of(services).repository(storage, project_id, kind)
        if result.exists():
            log.warning("a repository without a project is removed", extra={"path": str(result.path)})
            delete(result)


def make_repository(services: Services, project: ProjectRow) -> Repository:
    """The project's repository, created if it is not there yet. RepositoryMoved if it is somewhere else by now."""
    repository = repository_of(services, project)
    if repository.exists():
        return repository
    repository.path.parent.mkdir(parents=True, exist_ok=True)
    # Whoever moves a project to another storage holds this lock until its row says so.
    with suppress(RepositoryExists), repository.lock():
        _require_here(services, project)
        create(repository, project.default_branch or "main")
    return repository


def _require_here(services: Services, project: ProjectRow) -> None:
    query = select(projects.c.repository_storage).where(projects.c.id == project.id)
    with services.db.read() as conn:
        storage = conn.execute(query).scalar_one_or_none()
    if storage is not None and storage != project.repository_storage:
        raise RepositoryMoved


def initialize_with_readme(services: Services, project: ProjectRow, actor: Actor) -> None:
    """The first commit: a README on the default branch."""
    repository = make_repository(services, project)
    text = f"# {project.name}\n" + (f"\n{project.description}\n" if project.description else "")
    options = CommitOptions(
        branch=project.default_branch or "main",
        message="Initial commit",
        actions=[FileAction("create", "README.md", text)],
        author=Person.now(actor.name or actor.username, actor.email),
    )
    created = create_commit(repository, options)
    with services.db.write() as tx:
        tx.execute(update(projects).where(projects.c.id == project.id).values(readme_path="README.md"))
    # The usual handling of a first push sets the default branch and marks the repository as not empty.
    announce(services, Pushed(project.id, actor.user_id, (RefChange(created.ref, created.old, created.sha),)))
