"""Reading tokens."""

from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, not_, or_, select

from ingot.features.people.personal_access_tokens.params import ListTokens, TokenFilters
from ingot.identity.rows import PersonalAccessTokenRow
from ingot.identity.tables import personal_access_tokens as tokens
from ingot.kit.actor import Actor
from ingot.kit.clock import through, today
from ingot.kit.letter_case import contains

_COLUMNS = {"created": "created_at", "expires": "expires_at", "last_used": "last_used_at", "name": "name"}


def find(conn: Connection, token_id: int) -> PersonalAccessTokenRow | None:
    """A token's row, or None."""
    return conn.execute(select(tokens).where(tokens.c.id == token_id)).one_or_none()


def get(conn: Connection, token_id: int) -> PersonalAccessTokenRow:
    """The row of a token that is there."""
    return conn.execute(select(tokens).where(tokens.c.id == token_id)).one()


def is_active() -> ColumnElement[bool]:
    """Neither revoked nor expired."""
    return and_(~tokens.c.revoked, or_(tokens.c.expires_at.is_(None), tokens.c.expires_at > today()))


def listed(actor: Actor, options: ListTokens) -> Select[Any]:
    """Tokens that the actor may see: administrators all, others their own except impersonation tokens."""
    query = select(tokens)
    if not actor.is_admin:
        query = query.where(tokens.c.user_id == actor.id, ~tokens.c.impersonation)
    if options.user_id is not None:
        query = query.where(tokens.c.user_id == options.user_id)
    return filtered(query, options)


def tokens_of(user_id: int) -> Select[Any]:
    """The personal tokens of one user."""
    return select(tokens).where(tokens.c.user_id == user_id, ~tokens.c.impersonation)


def filtered(query: Select[Any], options: TokenFilters) -> Select[Any]:
    """Filter by state, times and name, in the requested order."""
    query = by_state(query, options)
    query = by_time(query, options)
    if options.search:
        query = query.where(contains(tokens.c.name, options.search))
    return ordered(query, options.sort)


def by_state(query: Select[Any], options: TokenFilters) -> Select[Any]:
    """Revoked, and usable or not."""
    if options.revoked is not None:
        query = query.where(tokens.c.revoked == options.revoked)
    if options.state is not None:
        query = query.where(is_active() if options.state == "active" else not_(is_active()))
    return query


def by_time(query: Select[Any], options: TokenFilters) -> Select[Any]:
    """Bounds of creation, use and expiry."""
    if options.created_before is not None:
        query = query.where(tokens.c.created_at <= through(options.created_before))
    if options.created_after is not None:
        query = query.where(tokens.c.created_at >= options.created_after)
    if options.last_used_before is not None:
        query = query.where(tokens.c.last_used_at <= through(options.last_used_before))
    if options.last_used_after is not None:
        query = query.where(tokens.c.last_used_at >= options.last_used_after)
    if options.expires_before is not None:
        query = query.where(tokens.c.expires_at < options.expires_before)
    if options.expires_after is not None:
        query = query.where(tokens.c.expires_at > options.expires_after)
    return query


def ordered(query: Select[Any], sort: str | None) -> Select[Any]:
    """By the request, or by id."""
    if sort is None:
        return query.order_by(tokens.c.id)
    name, _, direction = sort.rpartition("_")
    column = tokens.c[_COLUMNS[name]]
    if direction == "desc":
        return query.order_by(column.desc().nulls_last(), tokens.c.id.desc())
    return query.order_by(column.asc().nulls_first(), tokens.c.id)


def impersonation_tokens(user_id: int, state: str) -> Select[Any]:
    """The impersonation tokens of a user."""
    query = select(tokens).where(tokens.c.user_id == user_id, tokens.c.impersonation).order_by(tokens.c.id)
    if state == "all":
        return query
    return query.where(is_active() if state == "active" else not_(is_active()))
