"""Whose tokens a person may see and end."""

from ingot.kit.actor import Actor


def sees_all_tokens(actor: Actor) -> bool:
    """Administrators learn whether a token exists."""
    return actor.is_admin


def may_manage_tokens_of(actor: Actor, user_id: int) -> bool:
    """Everybody their own, administrators all."""
    return actor.is_admin or actor.user_id == user_id
