"""Browser sessions: a random cookie, stored as a digest, with a token against forged forms."""

import hashlib
import secrets
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, delete, insert, select, update

from ingot.identity.rows import SessionRow
from ingot.identity.tables import sessions, users
from ingot.instance import application_setting
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now

LINK = "sign_in_link"  # marks a link that can be exchanged for a session
PENDING = "second_factor_pending"  # marks a sign-in that waits for its second factor
NO_SESSIONS = frozenset({LINK, PENDING})
# In the details of a session: seconds without use after which it ends, and the moment after which no use extends it.
LIFETIME, ENDS_AT = "lifetime", "ends_at"
# In the details of a session in which an administrator acts as somebody else: the administrator (`id`, `name`), and the
# digest of their own session.
IMPERSONATOR, OWN_SESSION = "impersonator", "impersonators_session"


def open_session(tx: Connection, user_id: int, until: datetime, details: Mapping[str, object]) -> str:
    """A new session; returns the cookie's clear value."""
    clear = secrets.token_urlsafe(32)
    moment = now()
    tx.execute(delete(sessions).where(sessions.c.expires_at <= moment))
    tx.execute(
        insert(sessions).values(
            digest=digest(clear),
            user_id=user_id,
            csrf=secrets.token_hex(32),
            details=details,
            created_at=moment,
            expires_at=until,
        )
    )
    if NO_SESSIONS.isdisjoint(details) and IMPERSONATOR not in details:
        way = "group_saml" if "saml_provider_id" in details else "password"
        report_change(tx, Change("session", "create", user_id, details={"with": way}))
    return clear


def find_session(conn: Connection, clear: str) -> SessionRow | None:
    """The session and its user, while both are valid.

    One that a group's identity provider opened ends when its person becomes an administrator: owners of a group must
    not own the server.
    """
    row = conn.execute(_by_digest(clear)).one_or_none()
    if row is None or not NO_SESSIONS.isdisjoint(row.details):
        return None
    if IMPERSONATOR in row.details and not _is_lent(conn, row.details):
        return None
    return None if row.is_admin and "saml_provider_id" in row.details else row


def _is_lent(conn: Connection, details: Mapping[str, object]) -> bool:
    """Whether an administrator may still act as somebody else: while they are one, and their own session lasts."""
    own = (sessions.c.digest == details[OWN_SESSION]) & (sessions.c.expires_at > now())
    is_administrator = users.c.is_admin & (users.c.state == "active")
    query = select(users.c.id).join_from(sessions, users, users.c.id == sessions.c.user_id).where(own, is_administrator)
    return bool(application_setting(conn, "impersonation_enabled")) and conn.execute(query).first() is not None


def create_link(tx: Connection, user_id: int, until: datetime) -> str:
    """Create a link that signs the user in once."""
    return open_session(tx, user_id, until, {LINK: True})


def find_link(conn: Connection, clear: str) -> SessionRow | None:
    """The user of a link that still holds."""
    row = conn.execute(_by_digest(clear)).one_or_none()
    return row if row is not None and LINK in row.details else None


def use_link(tx: Connection, clear: str) -> bool:
    """Use a link; False if it was used before."""
    return close_session(tx, clear)


def create_pending(tx: Connection, user_id: int, until: datetime, details: Mapping[str, object]) -> str:
    """Remember that the user passed the first step of a sign-in; returns what proves it in the second."""
    return open_session(tx, user_id, until, {**details, PENDING: True})


def find_pending(conn: Connection, clear: str) -> SessionRow | None:
    """The user of a sign-in that waits for its second factor."""
    row = conn.execute(_by_digest(clear)).one_or_none()
    return row if row is not None and PENDING in row.details else None


def set_details(tx: Connection, clear: str, **details: object) -> None:
    """Note more about the session; None takes a note away."""
    merged = {**lock_details(tx, clear), **details}
    after = {name: value for name, value in merged.items() if value is not None}
    tx.execute(update(sessions).where(sessions.c.digest == digest(clear)).values(details=after))


# Any: JSON.
def lock_details(tx: Connection, clear: str) -> dict[str, Any]:
    """What is noted about the session, unchanged until the transaction ends; nothing once the session is closed."""
    query = select(sessions.c.details).where(sessions.c.digest == digest(clear)).with_for_update()
    details: dict[str, Any] | None = tx.execute(query).scalar_one_or_none()
    return details or {}


def close_session(tx: Connection, clear: str) -> bool:
    """Forget the session (sign out); False if it was gone already."""
    return tx.execute(delete(sessions).where(sessions.c.digest == digest(clear))).rowcount == 1


def sign_out(tx: Connection, clear: str, session: SessionRow) -> None:
    """Forget the session; one in which an administrator acts as somebody else takes their own with it."""
    if IMPERSONATOR not in session.details:
        close_session(tx, clear)
        return
    stop_impersonation(tx, clear, session)
    tx.execute(delete(sessions).where(sessions.c.digest == session.details[OWN_SESSION]))


def stop_impersonation(tx: Connection, clear: str, session: SessionRow) -> None:
    """Forget the session in which an administrator acts as somebody else."""
    close_session(tx, clear)
    author_id = session.details[IMPERSONATOR]["id"]
    report_change(tx, Change("account", "stop_impersonation", session.id, details={"author_id": author_id}))


def end_impersonations(tx: Connection, administrator_id: int | None = None) -> None:
    """Forget the sessions in which an administrator, or anybody, acts as somebody else.

    For whoever loses the right: getting it back must not revive them.
    """
    lender = sessions.c.details[(IMPERSONATOR, "id")].as_integer()
    chosen = lender.is_not(None) if administrator_id is None else lender == administrator_id
    ended = delete(sessions).where(chosen).returning(sessions.c.user_id, sessions.c.details)
    for user_id, details in tx.execute(ended).all():
        author_id = details[IMPERSONATOR]["id"]
        report_change(tx, Change("account", "stop_impersonation", user_id, details={"author_id": author_id}))


def close_sessions(tx: Connection, user_id: int) -> None:
    """End all sessions of the user, and all links."""
    tx.execute(delete(sessions).where(sessions.c.user_id == user_id))


def close_others(tx: Connection, user_id: int, kept_digest: str) -> None:
    """End all sessions of the user but one, and all links."""
    tx.execute(delete(sessions).where(sessions.c.user_id == user_id, sessions.c.digest != kept_digest))


def _by_digest(clear: str) -> Select[Any]:
    return (
        select(
            users,
            sessions.c.csrf,
            sessions.c.details,
            sessions.c.expires_at.label("session_expires_at"),
            sessions.c.created_at.label("session_created_at"),
        )
        .join_from(sessions, users, users.c.id == sessions.c.user_id)
        .where(sessions.c.digest == digest(clear), sessions.c.expires_at > now(), users.c.state == "active")
    )


def digest(clear: str) -> str:
    """What is stored of a cookie or link."""
    return hashlib.sha256(clear.encode()).hexdigest()
