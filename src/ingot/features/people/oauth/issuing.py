"""Issuing access tokens, and what the token endpoint answers."""

import secrets
from datetime import datetime, timedelta

import msgspec
from sqlalchemy import Connection, insert

from ingot.features.people.oauth.rows import TokenRow
from ingot.identity.oauth_tables import oauth_access_tokens as tokens
from ingot.identity.tokens import digest
from ingot.kit.clock import now

LIFETIME = timedelta(hours=2)


class TokenOptions(msgspec.Struct, frozen=True):
    """What a new pair is for."""

    application_id: int | None
    user_id: int | None
    scopes: list[str]
    family: str = ""
    previous_id: int | None = None
    is_refreshable: bool = True


class Issued(msgspec.Struct, frozen=True):
    """A new pair with its values, and what an identity token needs besides."""

    row: TokenRow
    access_token: str
    refresh_token: str | None
    nonce: str | None = None
    signed_in_at: datetime | None = None

    def answer(self) -> dict[str, object]:
        """What the client gets."""
        result: dict[str, object] = {
            "access_token": self.access_token,
            "token_type": "Bearer",
            "expires_in": int(LIFETIME.total_seconds()),
        }
        if self.refresh_token is not None:
            result["refresh_token"] = self.refresh_token
        return {**result, "scope": " ".join(self.row.scopes), "created_at": int(self.row.created_at.timestamp())}


def new_family() -> str:
    """The name of a consent and of all tokens that follow from it."""
    return secrets.token_hex(16)


def issue(tx: Connection, options: TokenOptions) -> Issued:
    """Store a new pair; only digests are kept."""
    clear, moment = secrets.token_hex(32), now()
    refresh = secrets.token_hex(32) if options.is_refreshable else None
    row: TokenRow = tx.execute(
        insert(tokens)
        .values(
            application_id=options.application_id,
            user_id=options.user_id,
            digest=digest(clear),
            refresh_digest=None if refresh is None else digest(refresh),
            scopes=options.scopes,
            family=options.family or new_family(),
            previous_id=options.previous_id,
            created_at=moment,
            expires_at=moment + LIFETIME,
        )
        .returning(*tokens.c)
    ).one()
    return Issued(row, clear, refresh)
