"""What features look at when the check of all repositories comes by: they register it here."""

import logging
from collections.abc import Callable

from ingot.access.rows import ProjectRow
from ingot.gitstore import GitError
from ingot.kit.services import Services

log = logging.getLogger("ingot.projects")

Look = Callable[[Services, ProjectRow], None]
_looks: list[Look] = []


def looks_at_repositories(look: Look) -> Look:
    """Register something to look at, from a feature's `listeners` module; it may be called for any project, again."""
    _looks.append(look)
    return look


def look_at(services: Services, project: ProjectRow) -> None:
    """Everything that features registered. A repository that git cannot read does not keep others from their turn."""
    for look in _looks:
        try:
            look(services, project)
        except (GitError, OSError) as error:
            log.warning("a repository could not be looked at", extra={"project_id": project.id, "error": str(error)})
