"""A request of the token endpoint."""

from collections.abc import Mapping

import msgspec
from sqlalchemy import Connection, select

from ingot.features.people.oauth.clients import authenticate_client
from ingot.features.people.oauth.errors import OAuthError, missing
from ingot.features.people.oauth.rows import ApplicationRow
from ingot.identity.authentication import check_user
from ingot.identity.tables import users
from ingot.kit.errors import Forbidden
from ingot.kit.services import Services


class TokenRequest(msgspec.Struct, frozen=True):
    """What a client sent, and from where."""

    services: Services
    values: Mapping[str, str]
    client_id: str
    client_secret: str
    base_url: str
    address: str

    def required(self, name: str) -> str:
        """A parameter; refused where it is missing."""
        value = self.values.get(name, "")
        if not value:
            raise missing(name)
        return value

    def client(self, conn: Connection) -> ApplicationRow:
        """The application that calls, with its proof."""
        return authenticate_client(conn, self.client_id, self.client_secret)


def require_active(conn: Connection, user_id: int, base_url: str) -> None:
    """Nobody gets a token for somebody who may not sign in."""
    row = conn.execute(select(users).where(users.c.id == user_id)).one_or_none()
    if row is None:
        raise OAuthError("invalid_grant")
    try:
        check_user(row, base_url)
    except Forbidden:
        raise OAuthError("invalid_grant") from None
