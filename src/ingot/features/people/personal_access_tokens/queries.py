"""Reading tokens."""

from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, not_, or_, select

from ingot.features.people.personal_access_tokens.params import ListTokens, TokenFilters
from ingot.identity.tables import personal_access_tokens as tokens
from ingot.kit.actor import Actor
from ingot.kit.clock import through, today
from ingot.kit.letter_case import contains

_COLUMNS = {"created": "created_at", "expires": "expires_at", "last_used": "last_used_at", "name": "name"}


def find(conn: Connection, token_id: int) -> Any:
    """A token's row, or None."""
    return conn.execute(select(tokens).where(tokens.c.id == token_id)).one_or_none()


def is_active() -> ColumnElement[bool]:
    """Neither revoked nor expired."""
    return and_(~tokens.c.revoked, or_(tokens.c.expires_at.is_(None), tokens.c.expires_at > today()))


def listed(actor: Actor, wish: ListTokens) -> Select[Any]:
    """Tokens that the actor may see: administrators all, others their own without those made to impersonate them."""
    found = select(tokens)
    if not actor.is_admin:
        found = found.where(tokens.c.user_id == actor.id, ~tokens.c.impersonation)
    if wish.user_id is not None:
        found = found.where(tokens.c.user_id == wish.user_id)
    return filtered(found, wish)


def filtered(found: Select[Any], wish: TokenFilters) -> Select[Any]:
    """State, times and name, in the wished order."""
    found = by_state(found, wish)
    found = by_time(found, wish)
    if wish.search:
        found = found.where(contains(tokens.c.name, wish.search))
    return ordered(found, wish.sort)


def by_state(found: Select[Any], wish: TokenFilters) -> Select[Any]:
    """Revoked, and usable or not."""
    if wish.revoked is not None:
        found = found.where(tokens.c.revoked == wish.revoked)
    if wish.state is not None:
        found = found.where(is_active() if wish.state == "active" else not_(is_active()))
    return found


def by_time(found: Select[Any], wish: TokenFilters) -> Select[Any]:
    """Bounds of creation, use and expiry."""
    if wish.created_before is not None:
        found = found.where(tokens.c.created_at <= through(wish.created_before))
    if wish.created_after is not None:
        found = found.where(tokens.c.created_at >= wish.created_after)
    if wish.last_used_before is not None:
        found = found.where(tokens.c.last_used_at <= through(wish.last_used_before))
    if wish.last_used_after is not None:
        found = found.where(tokens.c.last_used_at >= wish.last_used_after)
    if wish.expires_before is not None:
        found = found.where(tokens.c.expires_at < wish.expires_before)
    if wish.expires_after is not None:
        found = found.where(tokens.c.expires_at > wish.expires_after)
    return found


def ordered(found: Select[Any], sort: str | None) -> Select[Any]:
    """By the wish, or by id."""
    if sort is None:
        return found.order_by(tokens.c.id)
    name, _, direction = sort.rpartition("_")
    column = tokens.c[_COLUMNS[name]]
    if direction == "desc":
        return found.order_by(column.desc().nulls_last(), tokens.c.id.desc())
    return found.order_by(column.asc().nulls_first(), tokens.c.id)


def impersonation_tokens(user_id: int, state: str) -> Select[Any]:
    """The impersonation tokens of a user."""
    found = select(tokens).where(tokens.c.user_id == user_id, tokens.c.impersonation).order_by(tokens.c.id)
    if state == "all":
        return found
    return found.where(is_active() if state == "active" else not_(is_active()))
