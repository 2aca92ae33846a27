"""Changing tokens: create, rotate, revoke."""

from datetime import date, timedelta
from typing import Protocol

from sqlalchemy import Connection

from ingot.features.people.personal_access_tokens.queries import get
from ingot.identity import tokens as making
from ingot.identity.rows import PersonalAccessTokenRow
from ingot.identity.tables import personal_access_tokens as tokens
from ingot.instance import application_setting
from ingot.kit.clock import today
from ingot.kit.errors import BadRequest, Unprocessable

ROTATED_DAYS = 7


def latest_expiry(conn: Connection) -> date:
    """The last expiry date that a token may have."""
    days = application_setting(conn, "max_personal_access_token_lifetime") or making.LIFETIME_DAYS
    return today() + timedelta(days=days)


def refuse_long_life(conn: Connection, expires_at: date | None) -> None:
    """Raise 422 for an expiry beyond the limit."""
    latest = latest_expiry(conn)
    if expires_at is not None and expires_at > latest:
        raise Unprocessable(f"expires_at must be before {latest.isoformat()}")


class NewToken(Protocol):
    """The options of a new token."""

    name: str
    scopes: list[str]
    description: str | None


def create(
    tx: Connection, user_id: int, options: NewToken, *, expires_at: date | None, impersonation: bool = False
) -> tuple[PersonalAccessTokenRow, str]:
    """Create a token; returns its row and its clear-text value."""
    if not options.name.strip():
        raise Unprocessable("Name can't be blank")
    if len(options.name) > 255:
        raise Unprocessable("Name is too long (maximum is 255 characters)")
    if len(options.description or "") > 255:
        raise Unprocessable("Description is too long (maximum is 255 characters)")
    if not options.scopes:
        raise Unprocessable("Scopes can't be blank")
    refuse_long_life(tx, expires_at)
    token_id, clear = making.create(
        tx,
        user_id,
        options.name,
        list(dict.fromkeys(options.scopes)),
        expires_at=expires_at or min(making.default_expiry(), latest_expiry(tx)),
        description=options.description,
        impersonation=impersonation,
    )
    return get(tx, token_id), clear


def rotate(tx: Connection, row: PersonalAccessTokenRow, expires_at: date | None) -> tuple[PersonalAccessTokenRow, str]:
    """Revoke the token and create its successor, with the same name, scopes and family."""
    if row.revoked:
        raise BadRequest("token already revoked")
    latest = latest_expiry(tx)
    if expires_at is not None and expires_at > latest:
        raise BadRequest(f"expires_at must be before {latest.isoformat()}")
    revoke(tx, row.id)
    token_id, clear = making.create(
        tx,
        row.user_id,
        row.name,
        row.scopes,
        expires_at=expires_at or today() + timedelta(days=ROTATED_DAYS),
        impersonation=row.impersonation,
        description=row.description,
        family_id=row.family_id or row.id,
    )
    return get(tx, token_id), clear


def revoke(tx: Connection, token_id: int) -> None:
    """Revoke the token; safe to repeat."""
    making.revoke(tx, tokens.c.id == token_id)
