"""Turning credentials into an Actor, with the exact refusals that clients expect."""

import logging
import time
from collections.abc import Callable, Hashable
from contextvars import Context
from datetime import UTC, datetime
from datetime import time as time_of_day
from typing import NamedTuple

from msgspec.structs import replace
from sqlalchemy import Connection, bindparam, or_, select, update
from sqlalchemy.exc import OperationalError

from ingot.identity import credentials, oauth_tokens, sessions, tokens
from ingot.identity.oauth_tokens import OAuthHolderRow
from ingot.identity.rows import AccountStateRow, ActorRow, SessionRow, TokenHolderRow, UserRow
from ingot.identity.tables import personal_access_tokens, users
from ingot.instance import application_setting
from ingot.kit.actor import ANONYMOUS, Actor
from ingot.kit.call import Call
from ingot.kit.clock import now, today
from ingot.kit.data_version import Versioned
from ingot.kit.db import Database
from ingot.kit.errors import Forbidden, NotFound, TokenError, Unauthorized
from ingot.kit.ids import parse_id

log = logging.getLogger("ingot.identity")

EXPIRED = "Token is expired. You can either do re-authorization or token refresh."
REVOKED = "Token was revoked. You have to re-authorize from the user."
NO_IMPERSONATION = "Token is an impersonation token but impersonation was disabled."
HIGHER = "The request requires higher privileges than provided by the access token."
MOST_ROWS = 10_000
LAST_USED_STEP = 600  # seconds between two writes of a token's last use
_BY_NAME = select(users).where(users.c.username_lower == bindparam("username"))
_BY_ID = select(users).where(users.c.id == bindparam("user_id"))

ResolveJobToken = Callable[[Connection, str], Actor | None]
ResolveSession = Callable[[Call], Actor]


class _Checked(NamedTuple):
    """A token that was found good, and how long nothing but a change of the data can make it bad."""

    scopes: list[str]
    actor: Actor
    until: float  # Unix time


class Authenticator:
    """Checks credentials. What was found holds while settled data have the version at which it was read.

    The last use of a token is no part of them: when it has to be noted, the row is read anew.
    """

    def __init__(self, db: Database, resolve_job_token: ResolveJobToken | None = None) -> None:
        self._db = db
        self._rows: Versioned[str, TokenHolderRow] = Versioned(MOST_ROWS)
        self._checked: Versioned[str, _Checked] = Versioned(MOST_ROWS)
        self._oauth_rows: Versioned[str, OAuthHolderRow] = Versioned(MOST_ROWS)
        self.resolve_job_token = resolve_job_token
        self.resolve_session: ResolveSession | None = None

    def __call__(self, call: Call) -> Actor:
        """The actor of a request; raises if an invalid credential was sent."""
        result = credentials.of_request(call.request.headers, call.values)
        if result.access_token is None and result.job_token is None:
            if result.sudo is not None:
                raise Unauthorized
            return ANONYMOUS if self.resolve_session is None else self.resolve_session(call)
        if result.access_token is not None:
            actor = self._by_access_token(call, result.access_token)
        else:
            actor = self._by_job_token(call, result.job_token or "")
        return self._sudo(call, actor, result.sudo) if result.sudo is not None else actor

    def by_token(self, conn: Connection, clear: str, base_url: str) -> Actor | None:
        """The actor of an access token, without a scope check (git over HTTP checks its own)."""
        versions = self._db.quick_versions()
        row = self._look_up(conn, clear, versions.settled)
        if row is None:
            granted = self._look_up_granted(conn, clear, versions.data)
            return None if granted is None else self._granted_actor(granted, base_url)
        check_token(conn, row)
        check_user(row, base_url)
        self._touch(row)
        return actor_of(row)

    def by_job_token(self, conn: Connection, clear: str) -> Actor | None:
        """The actor of a running job's token, or None."""
        return self.resolve_job_token(conn, clear) if self.resolve_job_token is not None else None

    def forget(self) -> None:
        """Drop the rows of tokens."""
        self._rows.forget()
        self._checked.forget()
        self._oauth_rows.forget()

    def _look_up(self, conn: Connection, clear: str, version: Hashable | None) -> TokenHolderRow | None:
        key = tokens.digest(clear)
        row = self._rows.get(version, key)
        if row is None or _is_due(row):
            # In a separate context: whether the token has to be looked up must not show in the count of queries.
            row = Context().run(tokens.find, conn, clear)
            if row is not None:
                self._rows.put(version, key, row)
        return row

    def _look_up_granted(self, conn: Connection, clear: str, version: Hashable | None) -> OAuthHolderRow | None:
        """The token of an application; as `_look_up`, by the version of all data."""
        if not oauth_tokens.is_oauth_token(clear):
            return None
        key = tokens.digest(clear)
        row = self._oauth_rows.get(version, key)
        if row is None:
            row = Context().run(oauth_tokens.find_holder, conn, clear)
            if row is not None:
                self._oauth_rows.put(version, key, row)
        return row

    def _granted_actor(self, row: OAuthHolderRow, base_url: str, check: Callable[[], None] | None = None) -> Actor:
        if row.expires_at <= now():
            raise TokenError(401, "invalid_token", EXPIRED)
        if row.revoked_at is not None:
            raise TokenError(401, "invalid_token", REVOKED)
        if check is not None:
            check()
        check_user(row, base_url)
        if row.previous_id is not None:
            with self._db.write() as tx:
                oauth_tokens.retire_previous(tx, row.oauth_id, row.previous_id)
            self.forget()
        return Actor(
            user_id=row.user_id,
            username=row.username,
            name=row.name,
            email=row.email,
            is_admin=row.is_admin,
            is_external=row.is_external,
            scopes=frozenset(row.scopes),
            token_kind="oauth",
            valid_until=row.expires_at.timestamp(),
        )

    def _by_access_token(self, call: Call, clear: str) -> Actor:
        digest = tokens.digest(clear)
        versions = call.versions
        checked = self._checked.get(versions.settled, digest)
        if checked is not None and time.time() < checked.until:
            check_scope(call, checked.scopes)
            return checked.actor
        row = self._look_up(call.conn, clear, versions.settled)
        granted = self._look_up_granted(call.conn, clear, versions.data) if row is None else None
        if granted is not None:
            actor = self._granted_actor(granted, call.base_url, lambda: check_scope(call, granted.scopes))
            return limit_to_admin_mode(call.conn, actor)
        if row is None:
            # spec: a job's token is good as Bearer, never as PRIVATE-TOKEN
            is_bearer = call.request.headers.get("authorization", "").endswith(f" {clear}")
            if call.endpoint.job_token and is_bearer and (job := self._job_actor(call, clear)) is not None:
                return job
            raise Unauthorized
        if row.revoked and call.endpoint.path.endswith("/rotate"):
            # A rotated token that is used again may be stolen, and so may its successors.
            self._revoke_family(row)
        check_token(call.conn, row, before_impersonation=lambda: check_scope(call, row.scopes))
        check_user(row, call.base_url)
        self._touch(row)
        actor = limit_to_admin_mode(call.conn, actor_of(row))
        self._checked.put(versions.settled, digest, _Checked(row.scopes, actor, _good_until(row)))
        return actor

    def _revoke_family(self, row: TokenHolderRow) -> None:
        first = row.family_id or row.token_id
        tokens_table = personal_access_tokens
        with self._db.write() as tx:
            tx.execute(
                update(tokens_table)
                .where(or_(tokens_table.c.family_id == first, tokens_table.c.id == first))
                .values(revoked=True, updated_at=now())
            )
        self.forget()

    def _by_job_token(self, call: Call, clear: str) -> Actor:
        if not call.endpoint.job_token:
            return ANONYMOUS
        actor = self._job_actor(call, clear)
        if actor is None:
            raise Unauthorized
        return actor

    def _job_actor(self, call: Call, clear: str) -> Actor | None:
        return self.resolve_job_token(call.conn, clear) if self.resolve_job_token is not None else None

    def _sudo(self, call: Call, actor: Actor, name_or_id: str) -> Actor:
        if not actor.is_admin:
            raise Forbidden("Must be admin to use sudo")
        if "sudo" not in actor.scopes:
            raise TokenError(403, "insufficient_scope", HIGHER, "sudo")
        row = user_by_name_or_id(call.conn, name_or_id)
        if row is None:
            raise NotFound(f"User with ID or username '{name_or_id}'")
        check_user(row, call.base_url)
        return replace(actor_of_user(row), scopes=actor.scopes, token_id=actor.token_id, token_kind=actor.token_kind)

    def _touch(self, row: TokenHolderRow) -> None:
        """Remember the token's use, at most once in ten minutes."""
        if not _is_due(row):
            return
        moment = now()
        try:
            with self._db.write() as tx:
                tx.execute(
                    update(personal_access_tokens)
                    .where(personal_access_tokens.c.id == row.token_id)
                    .values(last_used_at=moment)
                )
                tx.execute(update(users).where(users.c.id == row.user_id).values(last_activity_on=moment.date()))
        except OperationalError:
            # Do not fail the request for this; the next one tries again.
            log.warning("the last use of token %s could not be noted", row.token_id)


def _is_due(row: TokenHolderRow) -> bool:
    """The token's use has to be noted."""
    return row.last_used_at is None or (now() - row.last_used_at).total_seconds() >= LAST_USED_STEP


def _good_until(row: TokenHolderRow) -> float:
    """When the token or the password ends, or its use has to be noted again."""
    if row.last_used_at is None:
        return 0.0
    moments = [row.last_used_at.timestamp() + LAST_USED_STEP]
    if row.expires_at is not None:
        moments.append(datetime.combine(row.expires_at, time_of_day.min, UTC).timestamp())
    if row.password_expires_at is not None:
        moments.append(row.password_expires_at.timestamp())
    return min(moments)


def limit_to_admin_mode(conn: Connection, actor: Actor) -> Actor:
    """The actor without an administrator's rights, where the instance asks for a scope that the credential lacks."""
    if actor.is_admin and "admin_mode" not in actor.scopes and application_setting(conn, "admin_mode"):
        return replace(actor, is_admin=False)
    return actor


def actor_of_session(conn: Connection, session: SessionRow) -> Actor:
    """The actor of a browser session; administrators may need admin mode for their rights."""
    impersonator = session.details.get(sessions.IMPERSONATOR)
    name = str(impersonator["name"]) if impersonator else ""
    actor = replace(actor_of_user(session), impersonator=name)
    is_in_admin_mode = session.details.get("admin_mode_until", 0) > now().timestamp()
    return actor if is_in_admin_mode else limit_to_admin_mode(conn, actor)


def check_token(conn: Connection, row: TokenHolderRow, before_impersonation: Callable[[], None] | None = None) -> None:
    """Expired, then revoked, then scope, then impersonation: clients see the first that fails."""
    if row.expires_at is not None and row.expires_at <= today():
        raise TokenError(401, "invalid_token", EXPIRED)
    if row.revoked:
        raise TokenError(401, "invalid_token", REVOKED)
    if before_impersonation is not None:
        before_impersonation()
    if row.impersonation and not application_setting(conn, "impersonation_enabled"):
        raise TokenError(401, "invalid_token", NO_IMPERSONATION)


def check_scope(call: Call, scopes: list[str]) -> None:
    """The endpoint must be open to one of the token's scopes."""
    reads = call.request.method in ("GET", "HEAD", "OPTIONS")
    if "api" in scopes or (reads and "read_api" in scopes):
        return
    declared = call.endpoint.scopes
    if "*" in declared or any(scope in declared and (reads or not scope.startswith("read_")) for scope in scopes):
        return
    raise TokenError(
        403, "insufficient_scope", HIGHER, " ".join([*(s for s in declared if s != "*"), "api", "read_api"])
    )


def check_user(row: AccountStateRow, base_url: str) -> None:
    """Blocked and otherwise inactive users are refused, each with its own message."""
    match row.state:
        case "active":
            pass
        case "blocked_pending_approval":
            raise Forbidden("Your account is pending approval from your administrator and hence blocked.")
        case "deactivated":
            raise Forbidden(
                "Your account has been deactivated by your administrator. Please log back in from a web browser to"
                f" reactivate your account at {base_url}"
            )
        case _:
            raise Forbidden("Your account has been blocked.")
    if row.kind == "ghost":
        raise Forbidden("This action cannot be performed by internal users")
    if row.password_expires_at is not None and row.password_expires_at <= now():
        raise Forbidden("Your password expired. Please access GitLab from a web browser to update your password.")


def actor_of(row: TokenHolderRow) -> Actor:
    """The actor of a token look-up."""
    return Actor(
        user_id=row.user_id,
        username=row.username,
        name=row.name,
        email=row.email,
        is_admin=row.is_admin,
        is_external=row.is_external,
        scopes=frozenset(row.scopes),
        token_id=row.token_id,
        token_kind="impersonation" if row.impersonation else "personal",
    )


def actor_of_user(row: ActorRow, scopes: frozenset[str] = frozenset()) -> Actor:
    """The actor of a user row, without a token (sudo, sessions, passwords, background work)."""
    return Actor(
        user_id=row.id,
        username=row.username,
        name=row.name,
        email=row.email,
        is_admin=row.is_admin,
        is_external=row.is_external,
        scopes=scopes,
    )


def user_by_name_or_id(conn: Connection, name_or_id: str) -> UserRow | None:
    """A user row by id or user name, or None."""
    user_id = parse_id(name_or_id)
    if user_id is None:
        return conn.execute(_BY_NAME, {"username": name_or_id.lower()}).one_or_none()
    return conn.execute(_BY_ID, {"user_id": user_id}).one_or_none()
