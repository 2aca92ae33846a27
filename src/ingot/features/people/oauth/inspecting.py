"""What is known about a token, and taking it back."""

from collections.abc import Mapping

from sqlalchemy import Connection, or_, select

from ingot.features.people.oauth.clients import authenticate_client
from ingot.features.people.oauth.errors import OAuthError
from ingot.features.people.oauth.queries import find_refresh_token, find_token
from ingot.features.people.oauth.rows import TokenRow
from ingot.identity import oauth_tokens
from ingot.identity.oauth_tables import oauth_access_tokens as tokens
from ingot.identity.oauth_tables import oauth_applications as applications
from ingot.identity.tables import users
from ingot.identity.tokens import digest
from ingot.kit.clock import now

REVOKED, EXPIRED = "The access token was revoked", "The access token expired"


def require_token(conn: Connection, clear: str) -> TokenRow:
    """A valid access token, of somebody who may sign in where it has a user."""
    row = find_token(conn, clear) if clear else None
    if row is None:
        raise OAuthError("invalid_token")
    if row.revoked_at is not None:
        raise OAuthError("invalid_token", REVOKED)
    if row.expires_at <= now():
        raise OAuthError("invalid_token", EXPIRED)
    if row.user_id is not None and not _is_active(conn, row.user_id):
        raise OAuthError("invalid_token")
    return row


def token_info(conn: Connection, clear: str) -> dict[str, object]:
    """What the holder of a token may know about it."""
    try:
        row = require_token(conn, clear)
    except OAuthError:
        raise OAuthError("invalid_request") from None
    left = max(0, int((row.expires_at - now()).total_seconds()))
    return {
        "resource_owner_id": row.user_id,
        "scope": row.scopes,
        "expires_in": left,
        "application": {"uid": _uid(conn, row)},
        "created_at": int(row.created_at.timestamp()),
        "scopes": row.scopes,
        "expires_in_seconds": left,
    }


def introspect(conn: Connection, clear: str, client: tuple[str, str], bearer: str) -> dict[str, object]:
    """What a client may know about a token: its own are described, those of others are none of its business."""
    if client[0]:
        application_id: int | None = authenticate_client(conn, *client).id
    else:
        application_id = require_token(conn, bearer).application_id
    row = find_token(conn, clear) if clear else None
    is_refresh = row is None
    row = row or (find_refresh_token(conn, clear) if clear else None)
    if row is None or row.application_id != application_id or row.revoked_at is not None:
        return {"active": False}
    if (row.expires_at <= now() and not is_refresh) or (row.user_id is not None and not _is_active(conn, row.user_id)):
        return {"active": False}
    result: dict[str, object] = {
        "active": True,
        "scope": " ".join(row.scopes),
        "client_id": _uid(conn, row),
        "token_type": "Bearer",
        "iat": int(row.created_at.timestamp()),
    }
    return result if is_refresh else {**result, "exp": int(row.expires_at.timestamp())}


class NotYours(OAuthError):
    """A client wants to take back a token of another."""

    def __init__(self) -> None:
        super().__init__("unauthorized_client")
        self.status = 403  # spec: signing in - only here; elsewhere the client itself is refused, with 401


def revoke_token(tx: Connection, values: Mapping[str, str], client: tuple[str, str]) -> None:
    """Take back a pair by either of its tokens. One that is unknown is not there any more, which is what was asked."""
    clear = values.get("token", "")
    pair = or_(tokens.c.digest == digest(clear), tokens.c.refresh_digest == digest(clear))
    row: TokenRow | None = tx.execute(select(tokens).where(pair)).one_or_none()
    if row is None or row.application_id is not None or client[0]:
        application = authenticate_client(tx, *client)
        if row is not None and row.application_id != application.id:
            raise NotYours
    if row is not None:
        # The whole family: a pair that replaced this one, or waits to be replaced by it, goes as well.
        oauth_tokens.revoke(tx, tokens.c.family == row.family)


def _uid(conn: Connection, row: TokenRow) -> str | None:
    if row.application_id is None:
        return None
    return str(conn.execute(select(applications.c.uid).where(applications.c.id == row.application_id)).scalar_one())


def _is_active(conn: Connection, user_id: int) -> bool:
    return bool(conn.execute(select(users.c.state).where(users.c.id == user_id)).scalar_one() == "active")
