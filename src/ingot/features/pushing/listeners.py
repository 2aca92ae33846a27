"""The first thing after any push: an empty repository gets its default branch, and the project was active."""

from typing import Any

from sqlalchemy import select, update

from ingot.access.events import Pushed
from ingot.access.tables import projects
from ingot.features.projects import repository_of, touch_activity
from ingot.features.pushing.first_branch import choose, protect_first
from ingot.kit.events import listen
from ingot.kit.services import Services


@listen(Pushed, order=1)
def welcome(services: Services, event: Pushed) -> None:
    """Settle the default branch of a repository that was empty, and note the activity."""
    with services.db.read() as conn:
        project = conn.execute(select(projects).where(projects.c.id == event.project_id)).one_or_none()
    if project is None:
        return
    first = _settle_head(services, project, event) if project.empty_repo else None
    with services.db.write() as tx:
        if first is not None:
            tx.execute(
                update(projects).where(projects.c.id == project.id).values(empty_repo=False, default_branch=first)
            )
            protect_first(tx, project, first)
        touch_activity(tx, project.id, event.user_id)


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
