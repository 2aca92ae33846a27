"""Tokens on the wire; the value is shown only when a token is created."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from ingot.access.call import Call
from ingot.identity.rows import PersonalAccessTokenRow
from ingot.kit.clock import today
from ingot.kit.entity import Entity, wire, wire_or_none


class PersonalAccessToken(Entity):
    """A token without its value."""

    id: int
    name: str
    revoked: bool
    created_at: datetime
    description: str | None
    scopes: list[str]
    user_id: int
    last_used_at: datetime | None
    active: bool
    expires_at: date | None


class PersonalAccessTokenWithValue(PersonalAccessToken):
    """A new token; `token` is never shown again."""

    token: str


class ImpersonationToken(PersonalAccessToken):
    """An impersonation token."""

    impersonation: bool


class ImpersonationTokenWithValue(ImpersonationToken):
    """A new impersonation token."""

    token: str


def fields(row: PersonalAccessTokenRow) -> dict[str, Any]:
    """The fields that all forms share."""
    return {
        "id": row.id,
        "name": row.name,
        "revoked": row.revoked,
        "created_at": wire(row.created_at),
        "description": row.description,
        "scopes": row.scopes,
        "user_id": row.user_id,
        "last_used_at": wire_or_none(row.last_used_at),
        "active": not row.revoked and (row.expires_at is None or row.expires_at > today()),
        "expires_at": row.expires_at,
    }


def present(_: Call, rows: Sequence[PersonalAccessTokenRow]) -> list[PersonalAccessToken]:
    """A page of tokens."""
    return [PersonalAccessToken(**fields(row)) for row in rows]


def present_impersonation(_: Call, rows: Sequence[PersonalAccessTokenRow]) -> list[ImpersonationToken]:
    """A page of impersonation tokens."""
    return [ImpersonationToken(**fields(row), impersonation=True) for row in rows]
