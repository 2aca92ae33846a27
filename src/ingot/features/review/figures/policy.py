"""Who sees the association counts of a user."""

from ingot.kit.actor import Actor


def may_see_associations(actor: Actor, user_id: int) -> bool:
    """Users see their own, administrators everybody's."""
    return actor.is_admin or actor.user_id == user_id
