"""Reading applications and what was granted to them."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Connection, Select, func, select

from ingot.features.people.oauth.rows import ApplicationRow, AuthorizedRow, TokenRow
from ingot.identity.oauth_tables import oauth_access_tokens as tokens
from ingot.identity.oauth_tables import oauth_applications as applications
from ingot.identity.tokens import digest


def list_applications(*conditions: ColumnElement[bool]) -> Select[tuple[ApplicationRow]]:
    """Applications, oldest first."""
    return select(applications).where(*conditions).order_by(applications.c.id)


def find_application(conn: Connection, application_id: int, *conditions: ColumnElement[bool]) -> ApplicationRow | None:
    """One application by its number."""
    return conn.execute(select(applications).where(applications.c.id == application_id, *conditions)).one_or_none()


def find_client(conn: Connection, uid: str) -> ApplicationRow | None:
    """The application that a client says it is."""
    return conn.execute(select(applications).where(applications.c.uid == uid)).one_or_none()


def find_token(conn: Connection, clear: str) -> TokenRow | None:
    """A token by its value, valid or not."""
    return conn.execute(select(tokens).where(tokens.c.digest == digest(clear))).one_or_none()


def find_refresh_token(conn: Connection, clear: str) -> TokenRow | None:
    """A pair by its refresh token, valid or not."""
    return conn.execute(select(tokens).where(tokens.c.refresh_digest == digest(clear))).one_or_none()


def granted_scopes(conn: Connection, application_id: int, user_id: int) -> set[str]:
    """The scopes that a user allowed the application and has not taken back."""
    rows = conn.execute(
        select(tokens.c.scopes).where(
            tokens.c.application_id == application_id, tokens.c.user_id == user_id, tokens.c.revoked_at.is_(None)
        )
    )
    return {scope for row in rows for scope in row.scopes}


def authorized_applications(conn: Connection, user_id: int) -> Sequence[AuthorizedRow]:
    """The applications that hold something for a user, by name."""
    held = (
        select(tokens.c.application_id, func.min(tokens.c.created_at).label("granted_at"))
        .where(tokens.c.user_id == user_id, tokens.c.revoked_at.is_(None))
        .group_by(tokens.c.application_id)
        .subquery()
    )
    return conn.execute(
        select(applications.c.id, applications.c.name, applications.c.scopes, held.c.granted_at.label("created_at"))
        .join_from(applications, held, held.c.application_id == applications.c.id)
        .order_by(applications.c.name, applications.c.id)
        .limit(100)
    ).all()
