"""Who may change trigger tokens."""

from ingot.kit.actor import Actor


def may_update(actor: Actor, owner_id: int | None) -> bool:
    """The owner of the token and administrators."""
    return owner_id == actor.user_id or actor.is_admin
