"""Who sees which users."""

from ingot.identity.rows import UserRow
from ingot.kit.actor import Actor


def may_search_by_identity(actor: Actor) -> bool:
    """Accounts at identity providers are for administrators."""
    return actor.is_admin


def may_see(actor: Actor, user: UserRow) -> bool:
    """Banned users are hidden."""
    return user.state != "banned" or actor.is_admin


def may_see_follows(actor: Actor, user: UserRow) -> bool:
    """Who follows whom is hidden with a private profile."""
    return not user.private_profile or actor.is_admin or actor.user_id == user.id
