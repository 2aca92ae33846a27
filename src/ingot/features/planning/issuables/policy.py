"""Who may comment on and react to something."""

from ingot.access.levels import GUEST
from ingot.features.planning.issuables.registry import Noteable
from ingot.kit.actor import Actor


def may_comment(actor: Actor, noteable: Noteable) -> bool:
    """Signed-in users who can read it, unless the project is archived or the discussion locked."""
    if actor.is_anonymous or noteable.project.archived:
        return False
    return not _is_locked_out(actor, noteable)


def _is_locked_out(actor: Actor, noteable: Noteable) -> bool:
    """A locked discussion is for members only."""
    return noteable.locked and not actor.is_admin and noteable.project.level < GUEST
