"""Whose tokens a user may see and revoke."""

from ingot.kit.actor import Actor


def sees_all_tokens(actor: Actor) -> bool:
    """Only administrators learn whether a token exists."""
    return actor.is_admin


def may_manage_tokens_of(actor: Actor, user_id: int) -> bool:
    """Users manage their own tokens, administrators all."""
    return actor.is_admin or actor.user_id == user_id
