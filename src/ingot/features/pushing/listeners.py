"""The first push into an empty repository settles its default branch and protects it."""

from typing import Any

from sqlalchemy import select, update

from ingot.access.events import Pushed, RepositoryFilled
from ingot.access.tables import projects
from ingot.features.projects import repository_of
from ingot.features.pushing.first_branch import choose, protect_first
from ingot.kit.events import listen
from ingot.kit.services import Services


# Before the others: they see a project whose default branch is settled.
@listen(Pushed, order=1)
def settle_first_branch(services: Services, event: Pushed) -> None:
    """Choose and protect the default branch of a repository that was empty until now."""
    with services.db.read() as conn:
        project = conn.execute(select(projects).where(projects.c.id == event.project_id)).one_or_none()
    if project is None or not project.empty_repo:
        return
    first = _settle_head(services, project, event)
    if first is None:
        return
    with services.db.write() as tx:
        tx.execute(update(projects).where(projects.c.id == project.id).values(empty_repo=False, default_branch=first))
        protect_first(tx, project, first)


@listen(RepositoryFilled)
def protect_filled(services: Services, event: RepositoryFilled) -> None:
    """The default branch of a fork or an imported project is protected like any other."""
    with services.db.write() as tx:
        project = tx.execute(select(projects).where(projects.c.id == event.project_id)).one_or_none()
        if project is not None and project.default_branch and not project.empty_repo:
            protect_first(tx, project, project.default_branch)


def _settle_head(services: Services, project: Any, event: Pushed) -> str | None:
    """The default branch of a repository that has branches now; HEAD names it."""
    pushed = [change.branch for change in event.changes if change.branch is not None and not change.is_deletion]
    repository = repository_of(services, project)
    if not pushed or not repository.exists() or repository.is_empty():
        return None
    chosen = choose(repository, project.default_branch, pushed)
    if repository.default_branch() != chosen:
        repository.set_default_branch(chosen)
    return chosen
