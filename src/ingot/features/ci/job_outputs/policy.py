"""Who may see the outputs of a job."""

from ingot.access.levels import DEVELOPER, MAINTAINER
from ingot.access.subjects import Project
from ingot.kit.actor import Actor

_ARTIFACT_LEVELS = {"public": 0, "private": DEVELOPER, "maintainer": MAINTAINER}


def has_artifact_level(actor: Actor, project: Project, accessibility: str) -> bool:
    """The role that `artifacts:access` asks for, reports included; `none` shuts out everybody."""
    needed = _ARTIFACT_LEVELS.get(accessibility)
    return needed is not None and (needed == 0 or actor.is_admin or project.level >= needed)
