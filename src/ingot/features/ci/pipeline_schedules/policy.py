"""Who may change pipeline schedules."""

from ingot.access.levels import DEVELOPER, MAINTAINER
from ingot.access.subjects import Project
from ingot.kit.actor import Actor


def may_change(actor: Actor, project: Project, owner_id: int | None) -> bool:
    """Maintainers all schedules, developers their own."""
    is_own = owner_id == actor.user_id and project.level >= DEVELOPER
    return is_own or actor.is_admin or project.level >= MAINTAINER


def may_take_ownership(actor: Actor, project: Project, owner_id: int | None) -> bool:
    """Maintainers, and the current owner."""
    return owner_id == actor.user_id or actor.is_admin or project.level >= MAINTAINER
