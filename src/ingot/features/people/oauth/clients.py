"""Which application calls, and whether it proved that."""

import base64
import binascii
import hmac
from collections.abc import Mapping
from urllib.parse import unquote_plus

from sqlalchemy import Connection

from ingot.features.people.oauth.errors import OAuthError
from ingot.features.people.oauth.queries import find_client
from ingot.features.people.oauth.rows import ApplicationRow
from ingot.identity.tokens import digest


def client_credentials(header: str, values: Mapping[str, str]) -> tuple[str, str]:
    """Client id and secret: from the header (Basic), else from the body; empty where they are missing."""
    scheme, _, encoded = header.strip().partition(" ")
    if scheme.lower() != "basic":
        return values.get("client_id", ""), values.get("client_secret", "")
    try:
        text = base64.b64decode(encoded.strip(), validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        raise OAuthError("invalid_client") from None
    name, _, secret = text.partition(":")
    return unquote_plus(name), unquote_plus(secret)


def authenticate_client(conn: Connection, uid: str, secret: str) -> ApplicationRow:
    """The application. A confidential one must prove itself; a public one has no secret that counts."""
    row = find_client(conn, uid) if uid else None
    if row is None:
        raise OAuthError("invalid_client")
    if (row.confidential or secret) and not hmac.compare_digest(digest(secret), row.secret_digest):
        raise OAuthError("invalid_client")
    return row
