"""What listens first: the default branch of a repository that was empty is settled before others look at it."""

from sqlalchemy import bindparam, select

from ingot.access.events import Pushed, RepositoryFilled
from ingot.access.tables import projects
from ingot.features.pushing.first_branch import protect_first, settle
from ingot.kit.events import listen
from ingot.kit.services import Services

_EMPTY = select(projects).where(projects.c.id == bindparam("project_id"), projects.c.empty_repo)


# Before the others: they see a project whose default branch is settled.
@listen(Pushed, order=1)
def settle_first_branch(services: Services, event: Pushed) -> None:
    """Choose and protect the default branch of a repository that was empty until now."""
    with services.db.read() as conn:
        project = conn.execute(_EMPTY, {"project_id": event.project_id}).one_or_none()
    if project is not None:
        pushed = [change.branch for change in event.changes if change.branch is not None and not change.is_deletion]
        settle(services, project, pushed)


@listen(RepositoryFilled)
def protect_filled(services: Services, event: RepositoryFilled) -> None:
    """The default branch of a fork or an imported project is protected like any other."""
    with services.db.write() as tx:
        project = tx.execute(select(projects).where(projects.c.id == event.project_id)).one_or_none()
        if project is not None and project.default_branch and not project.empty_repo:
            protect_first(tx, project, project.default_branch)
