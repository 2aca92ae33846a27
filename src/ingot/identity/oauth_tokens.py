"""Access tokens that applications got from the OAuth 2 provider: look-up, first use, revocation."""

from datetime import datetime
from typing import Protocol

from sqlalchemy import ColumnElement, Connection, bindparam, select, update

from ingot.identity.oauth_tables import oauth_access_tokens as tokens
from ingot.identity.tables import users
from ingot.identity.tokens import digest
from ingot.kit.clock import now

_DIGITS = frozenset("0123456789abcdef")


class OAuthHolderRow(Protocol):
    """An access token of an application and its user, as the look-up of a credential finds them."""

    oauth_id: int
    scopes: list[str]
    previous_id: int | None
    expires_at: datetime
    revoked_at: datetime | None
    user_id: int
    username: str
    name: str
    email: str
    state: str
    kind: str
    is_admin: bool
    is_external: bool
    password_expires_at: datetime | None


def is_oauth_token(clear: str) -> bool:
    """The text has the form of an access token of an application."""
    return len(clear) == 64 and _DIGITS.issuperset(clear)


_BY_DIGEST = (
    select(
        tokens.c.id.label("oauth_id"),
        tokens.c.scopes,
        tokens.c.previous_id,
        tokens.c.expires_at,
        tokens.c.revoked_at,
        users.c.id.label("user_id"),
        users.c.username,
        users.c.name,
        users.c.email,
        users.c.state,
        users.c.kind,
        users.c.is_admin,
        users.c.is_external,
        users.c.password_expires_at,
    )
    .join_from(tokens, users, users.c.id == tokens.c.user_id)
    .where(tokens.c.digest == bindparam("digest"))
)


def find_holder(conn: Connection, clear: str) -> OAuthHolderRow | None:
    """The token and its user; None for one without a user."""
    return conn.execute(_BY_DIGEST, {"digest": digest(clear)}).one_or_none()


def retire_previous(tx: Connection, token_id: int, previous_id: int) -> None:
    """The token was used: the pair that it replaced is revoked."""
    revoke(tx, tokens.c.id == previous_id)
    tx.execute(update(tokens).where(tokens.c.id == token_id).values(previous_id=None))


def revoke(tx: Connection, *conditions: ColumnElement[bool]) -> None:
    """Revoke the tokens that meet the conditions; safe to repeat."""
    tx.execute(update(tokens).where(tokens.c.revoked_at.is_(None), *conditions).values(revoked_at=now()))


def revoke_of_user(tx: Connection, user_id: int) -> None:
    """Revoke everything that applications hold for a user."""
    revoke(tx, tokens.c.user_id == user_id)


def revoke_of_application(tx: Connection, application_id: int, user_id: int) -> None:
    """Take back what a user allowed an application."""
    revoke(tx, tokens.c.application_id == application_id, tokens.c.user_id == user_id)
