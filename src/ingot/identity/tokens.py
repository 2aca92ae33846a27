"""Personal access tokens: creating them, and the look-up of credentials."""

import hashlib
import secrets
import string
from datetime import date, timedelta

from sqlalchemy import ColumnElement, Connection, bindparam, insert, select, update

from ingot.identity.rows import TokenHolderRow
from ingot.identity.tables import personal_access_tokens as tokens
from ingot.identity.tables import users
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now, today

ALPHABET = string.ascii_letters + string.digits + "_-"
LIFETIME_DAYS = 365

SCOPES = (
    "api", "read_api", "read_user", "read_repository", "write_repository", "read_registry", "write_registry", "sudo",
    "admin_mode", "create_runner", "manage_runner", "ai_features", "k8s_proxy", "read_service_ping",
    "read_observability", "write_observability", "self_rotate",
)  # fmt: skip
ADMIN_SCOPES = ("sudo", "admin_mode", "read_service_ping")


def digest(token: str) -> str:
    """What is stored of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def fresh(prefix: str = "glpat-") -> str:
    """A new token's clear-text value, shown once."""
    return prefix + "".join(secrets.choice(ALPHABET) for _ in range(20))


def default_expiry() -> date:
    """The expiry of a token that was made without one."""
    return today() + timedelta(days=LIFETIME_DAYS)


def create(  # noqa: PLR0913 - a token is all of this
    tx: Connection,
    user_id: int,
    name: str,
    scopes: list[str],
    *,
    expires_at: date | None = None,
    value: str | None = None,
    impersonation: bool = False,
    description: str | None = None,
    family_id: int | None = None,
) -> tuple[int, str]:
    """Store a new token; returns its id and clear value."""
    clear = value or fresh()
    moment = now()
    token_id = tx.execute(
        insert(tokens)
        .values(
            user_id=user_id,
            name=name,
            description=description,
            digest=digest(clear),
            scopes=scopes,
            impersonation=impersonation,
            expires_at=expires_at or default_expiry(),
            family_id=family_id,
            created_at=moment,
            updated_at=moment,
        )
        .returning(tokens.c.id)
    ).scalar_one()
    more = {"scopes": scopes}
    details = {"type": "personal_access_token", "name": name, "impersonation": impersonation, "more": more}
    report_change(tx, Change("audited_record", "create", int(token_id), user_id=user_id, details=details))
    return int(token_id), clear


def revoke(tx: Connection, *conditions: ColumnElement[bool]) -> None:
    """Revoke the tokens that meet the conditions; safe to repeat."""
    valid = update(tokens).where(~tokens.c.revoked, *conditions).values(revoked=True, updated_at=now())
    for row in tx.execute(valid.returning(tokens.c.id, tokens.c.user_id, tokens.c.name, tokens.c.impersonation)).all():
        details = {"type": "personal_access_token", "name": row.name, "impersonation": row.impersonation}
        report_change(tx, Change("audited_record", "revoke", row.id, user_id=row.user_id, details=details))


# Part of every request: built once.
_BY_DIGEST = (
    select(
        tokens.c.id.label("token_id"),
        tokens.c.scopes,
        tokens.c.impersonation,
        tokens.c.revoked,
        tokens.c.family_id,
        tokens.c.expires_at,
        tokens.c.last_used_at,
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


def find(conn: Connection, clear: str) -> TokenHolderRow | None:
    """The token and its user in one look-up."""
    return conn.execute(_BY_DIGEST, {"digest": digest(clear)}).one_or_none()
