"""Browser sessions: a random cookie, stored as a digest, with a token against forged forms."""

import hashlib
import secrets
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from ingot.identity.rows import SessionRow
from ingot.identity.tables import sessions, users
from ingot.kit.clock import now


def open_session(tx: Connection, user_id: int, until: datetime, details: dict[str, Any]) -> str:
    """A new session; returns the cookie's clear value."""
    clear = secrets.token_urlsafe(32)
    moment = now()
    tx.execute(delete(sessions).where(sessions.c.expires_at <= moment))
    tx.execute(
        insert(sessions).values(
            digest=_digest(clear),
            user_id=user_id,
            csrf=secrets.token_hex(32),
            details=details,
            created_at=moment,
            expires_at=until,
        )
    )
    return clear


def find_session(conn: Connection, clear: str) -> SessionRow | None:
    """The session and its user, while both are good.

    One that a group's identity provider opened ends when its person becomes an administrator: owners of a group must
    not own the server.
    """
    row = conn.execute(
        select(users, sessions.c.csrf, sessions.c.details)
        .join_from(sessions, users, users.c.id == sessions.c.user_id)
        .where(sessions.c.digest == _digest(clear), sessions.c.expires_at > now(), users.c.state == "active")
    ).one_or_none()
    return None if row is not None and row.is_admin and "saml_provider_id" in row.details else row


def close_session(tx: Connection, clear: str) -> None:
    """Forget the session (sign out)."""
    tx.execute(delete(sessions).where(sessions.c.digest == _digest(clear)))


def _digest(clear: str) -> str:
    return hashlib.sha256(clear.encode()).hexdigest()
