"""Who sees which users."""

from sqlalchemy import ColumnElement, and_, true

from ingot.identity.rows import UserRow
from ingot.identity.tables import users
from ingot.kit.actor import Actor


def shown_activities(actor: Actor) -> ColumnElement[bool]:
    """Condition on `users`: whose activity the actor may know."""
    if actor.is_admin:
        return true()
    return and_(users.c.private_profile.is_(False), users.c.state == "active", users.c.kind == "human")


def may_search_by_identity(actor: Actor) -> bool:
    """Accounts at identity providers are for administrators."""
    return actor.is_admin


def may_see(actor: Actor, user: UserRow) -> bool:
    """Banned users are hidden."""
    return user.state != "banned" or actor.is_admin


def may_see_follows(actor: Actor, user: UserRow) -> bool:
    """Who follows whom is hidden with a private profile."""
    return not user.private_profile or actor.is_admin or actor.user_id == user.id


def may_lose_second_factor(user: UserRow) -> bool:
    """An administrator's second factor is switched off at the machine only (`ingot user disable-two-factor`)."""
    return not user.is_admin
