"""The owner of a key: a user, or the projects of a deploy key. Loaded again for every command."""

from datetime import datetime, timedelta

import msgspec
from msgspec.structs import replace
from sqlalchemy import Connection, bindparam, or_, select

from ingot.features.code.git_ssh.texts import KEY_EXPIRED, KEY_REMOVED, NOT_CONFIRMED
from ingot.features.people.users import is_use_noted, login_key, note_use
from ingot.features.spaces.deploy_keys import (
    deploy_key_by_fingerprint,
    deploy_key_by_id,
    is_deploy_key_use_noted,
    note_deploy_key_use,
)
from ingot.identity.authentication import actor_of_user, check_user
from ingot.identity.logins import must_confirm
from ingot.identity.tables import personal_access_tokens as tokens
from ingot.identity.tables import users
from ingot.instance.key_rules import key_problem
from ingot.kit.actor import ANONYMOUS, Actor
from ingot.kit.clock import now, today
from ingot.kit.errors import Forbidden
from ingot.kit.public_keys import read_public_key, sha256_of
from ingot.kit.services import Services

SCOPES = frozenset({"read_repository", "write_repository"})
SOON = timedelta(days=7)
# A bot is as long about as its token is valid; its keys must not last longer.
_VALID_TOKEN = select(tokens.c.id).where(
    tokens.c.user_id == bindparam("bot"),
    ~tokens.c.revoked,
    or_(tokens.c.expires_at.is_(None), tokens.c.expires_at > bindparam("today")),
)
PERSON, DEPLOY = "key", "deploy-key"


class KeyRefused(Exception):
    """The key is refused; the message says why."""


class KeyName(msgspec.Struct, frozen=True):
    """Which key it is, as the forced command of OpenSSH writes it: `key-5`, `deploy-key-7`."""

    kind: str
    id: int

    def __str__(self) -> str:
        return f"{self.kind}-{self.id}"

    @staticmethod
    def parse(text: str) -> "KeyName | None":
        """The name of this text, or None."""
        kind, _, number = text.rpartition("-")
        is_known = kind in (PERSON, DEPLOY) and number.isascii() and number.isdigit() and len(number) < 19
        return KeyName(kind, int(number)) if is_known else None


class Holder(msgspec.Struct, frozen=True):
    """The owner of a valid key. A deploy key acts for the user who added it, only in its projects."""

    key: KeyName
    actor: Actor
    expires_soon: bool = False

    @property
    def deploy_key_id(self) -> int | None:
        """The number of the deploy key, where it is one."""
        return self.key.id if self.key.kind == DEPLOY else None


def find_key(conn: Connection, blob: bytes) -> KeyName | None:
    """The key with this content, as a client offers it; expired ones too, for a proper refusal later."""
    fingerprint = sha256_of(blob)
    key = login_key(conn, fingerprint=fingerprint)
    if key is not None:
        return KeyName(PERSON, key.id)
    deploy_key = deploy_key_by_fingerprint(conn, fingerprint)
    return None if deploy_key is None else KeyName(DEPLOY, deploy_key.id)


def load_holder(services: Services, conn: Connection, key: KeyName, base_url: str) -> Holder:
    """The owner of the key; refuses removed and expired keys, those that rules forbid by now, and blocked users."""
    if key.kind == DEPLOY:
        row = deploy_key_by_id(conn, key.id)
        if row is None:
            raise KeyRefused(KEY_REMOVED)
        _require_current(row.expires_at)
        _require_allowed(conn, row.key)
        return Holder(key, ANONYMOUS if row.user_id is None else _actor(services, conn, row.user_id, base_url))
    own = login_key(conn, key_id=key.id)
    if own is None:
        raise KeyRefused(KEY_REMOVED)
    _require_current(own.expires_at)
    _require_allowed(conn, own.text)
    expires_soon = own.expires_at is not None and own.expires_at <= now() + SOON
    return Holder(key, _actor(services, conn, own.user_id, base_url), expires_soon)


def note_key_use(services: Services, key: KeyName) -> None:
    """Remember that the key was used. Most uses are noted already, and then no command waits for a write."""
    is_noted, note = (is_deploy_key_use_noted, note_deploy_key_use) if key.kind == DEPLOY else (is_use_noted, note_use)
    with services.db.read() as conn:
        if is_noted(conn, key.id):
            return
    with services.db.write() as tx:
        note(tx, key.id)


def _require_current(expires_at: datetime | None) -> None:
    if expires_at is not None and expires_at <= now():
        raise KeyRefused(KEY_EXPIRED)


def _require_allowed(conn: Connection, text: str) -> None:
    key = read_public_key(text)
    problem = None if key is None else key_problem(conn, key)
    if problem is not None:
        raise KeyRefused(f"Your SSH key {problem}.")


def _actor(services: Services, conn: Connection, user_id: int, base_url: str) -> Actor:
    row = conn.execute(select(users).where(users.c.id == user_id)).one_or_none()
    if row is None:
        raise KeyRefused(KEY_REMOVED)
    try:
        check_user(row, base_url)
    except Forbidden as locked_out:
        raise KeyRefused(locked_out.text.removeprefix("403 Forbidden - ")) from None
    if row.kind == "project_bot" and conn.execute(_VALID_TOKEN, {"bot": user_id, "today": today()}).first() is None:
        raise KeyRefused(KEY_EXPIRED)
    if must_confirm(conn, services.settings, row):
        raise KeyRefused(f"{NOT_CONFIRMED} {base_url.rstrip('/')}/users/confirmation/new")
    return replace(actor_of_user(row), scopes=SCOPES, token_kind="ssh_key")
