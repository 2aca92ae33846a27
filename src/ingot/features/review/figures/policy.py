"""Who sees how much a user belongs to."""

from ingot.kit.actor import Actor


def may_see_associations(actor: Actor, user_id: int) -> bool:
    """People see their own, administrators everybody's."""
    return actor.is_admin or actor.user_id == user_id
