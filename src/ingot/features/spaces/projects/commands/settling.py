"""Projects whose creation broke off: found within minutes, long before the check of all repositories comes by."""

import logging
from collections.abc import Callable
from datetime import timedelta

from sqlalchemy import func, select

from ingot.access.rows import ProjectRow
from ingot.access.tables import projects
from ingot.features.spaces.projects.commands.filling import CANCELED
from ingot.features.spaces.projects.commands.refresh import refresh_head
from ingot.features.spaces.projects.commands.repository import make_repository, repository_of
from ingot.gitstore import GitError
from ingot.kit.clock import now
from ingot.kit.services import Services

log = logging.getLogger("ingot.projects")

# Creation takes less than that, and seeing what is there does it no harm.
PATIENCE = timedelta(seconds=30)
# Later ones are left to the check of all repositories.
YOUNG = timedelta(days=1)
NEWEST = 1000
# Within it a worker that lives has come by.
SOON = timedelta(minutes=3)


def settle_new_projects(services: Services, check: Callable[[], None]) -> None:
    """Create the repository of each young project that lacks it, and see the first commit that nobody was told of."""
    moment = now()
    newest = select(func.max(projects.c.id) - NEWEST).scalar_subquery()
    due = (
        projects.c.id > newest,
        projects.c.empty_repo.is_(True),
        projects.c.pending_delete.is_(False),
        projects.c.created_at.between(moment - YOUNG, moment - PATIENCE),
    )
    with services.db.read() as conn:
        rows = conn.execute(select(projects).where(*due).order_by(projects.c.id)).all()
    for row in rows:
        check()
        settle(services, row)


def settle(services: Services, project: ProjectRow) -> None:
    """Finish what a crash broke off: after the rows there is no repository, after the first commit nobody was told.

    Where git or the disk refuses, the other projects still get their turn, and this one again the next time.
    """
    if not project.empty_repo or project.import_status in ("scheduled", "started"):
        return
    try:
        repository = repository_of(services, project)
        if not repository.exists():
            make_repository(services, project)
        elif not repository.is_empty() and project.import_status != CANCELED:
            refresh_head(services, project.id, [])
    except (GitError, OSError) as error:
        log.warning("a new project could not be finished", extra={"project_id": project.id, "error": str(error)})


def is_settling(project: ProjectRow) -> bool:
    """The project counts as empty and is so new that it is looked at soon."""
    return project.empty_repo and project.created_at > now() - SOON
