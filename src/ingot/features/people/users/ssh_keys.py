"""Checking and storing SSH public keys, and finding whose a key is."""

from collections.abc import Callable
from datetime import datetime, timedelta

import msgspec
from sqlalchemy import Connection, bindparam, select, update

from ingot.access.call import Call
from ingot.features.people.users.activity import note_activity
from ingot.features.people.users.params import AddKey
from ingot.features.people.users.rows import UserKeyRow
from ingot.features.people.users.tables import keys
from ingot.identity.tables import users
from ingot.instance.key_rules import key_problem
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now, today
from ingot.kit.errors import Invalid
from ingot.kit.public_keys import PublicKey, read_public_key

LAST_USED_STEP = timedelta(days=1)
LOGIN_USES = ("auth", "auth_and_signing")

IsTaken = Callable[[Connection, str], bool]
_elsewhere: list[IsTaken] = []


def keys_elsewhere(is_taken: IsTaken) -> IsTaken:
    """Register a look-up of keys in another room: a key belongs to one user or one purpose."""
    _elsewhere.append(is_taken)
    return is_taken


def fingerprint(text: str) -> str | None:
    """The SHA-256 of the key's blob, or None where the text is no public key that is strong enough."""
    key = read_public_key(text)
    return None if key is None or key.weakness is not None else key.sha256


def _require_acceptable(conn: Connection, text: str) -> PublicKey:
    """The key of this text; raises if it is invalid or too weak."""
    key = read_public_key(text)
    if key is None:
        raise Invalid({"key": ["is invalid"], "fingerprint_sha256": ["cannot be generated"]})
    problem = key_problem(conn, key)
    if problem is not None:
        raise Invalid({"key": [problem]})
    return key


def add(call: Call, user_id: int, options: AddKey) -> UserKeyRow:
    """Store a key that is not in use."""
    key = _require_acceptable(call.conn, options.key)
    if not options.title.strip():
        raise Invalid({"title": ["can't be blank"]})
    if len(options.title) > 255:
        raise Invalid({"title": ["is too long (maximum is 255 characters)"]})
    with call.write() as tx:
        own = tx.execute(select(keys.c.id).where(keys.c.fingerprint == key.sha256)).first()
        if own is not None or any(is_taken(tx, key.sha256) for is_taken in _elsewhere):
            raise Invalid({"fingerprint_sha256": ["has already been taken"]})
        row: UserKeyRow = tx.execute(
            keys.insert()
            .values(
                user_id=user_id,
                title=options.title,
                key=key.text,
                fingerprint=key.sha256,
                usage_type=options.usage_type,
                expires_at=options.expires_at,
                created_at=now(),
            )
            .returning(keys)
        ).one()
        _report(tx, "create", row)
    return row


def remove(call: Call, row: UserKeyRow) -> None:
    """Delete a key."""
    with call.write() as tx:
        call.delete_rows(tx, keys, keys.c.id == row.id)
        _report(tx, "destroy", row)


def _report(tx: Connection, action: str, row: UserKeyRow) -> None:
    details = {"key": row.key, "title": row.title, "created_at": row.created_at}
    report_change(tx, Change("key", action, row.id, user_id=row.user_id, details=details))


class LoginKey(msgspec.Struct, frozen=True):
    """A key used to sign in."""

    id: int
    user_id: int
    text: str
    expires_at: datetime | None


_BY_FINGERPRINT = select(keys).where(keys.c.fingerprint == bindparam("value"), keys.c.usage_type.in_(LOGIN_USES))
_NOTED = (
    select(keys.c.id)
    .join_from(keys, users, users.c.id == keys.c.user_id)
    .where(
        keys.c.id == bindparam("key_id"),
        keys.c.last_used_at >= bindparam("moment"),
        users.c.last_activity_on >= bindparam("today"),
    )
)
_BY_ID = select(keys).where(keys.c.id == bindparam("value"), keys.c.usage_type.in_(LOGIN_USES))


def login_key(conn: Connection, *, fingerprint: str | None = None, key_id: int | None = None) -> LoginKey | None:
    """The key that may be used to sign in, by its SHA-256 or its number; expired ones too, for a proper refusal."""
    query, value = (_BY_ID, key_id) if fingerprint is None else (_BY_FINGERPRINT, fingerprint)
    row = conn.execute(query, {"value": value}).one_or_none()
    return None if row is None else LoginKey(row.id, row.user_id, row.key, row.expires_at)


def is_use_noted(conn: Connection, key_id: int) -> bool:
    """Whether `note_use` would change nothing."""
    values = {"key_id": key_id, "moment": now() - LAST_USED_STEP, "today": today()}
    return conn.execute(_NOTED, values).first() is not None


def note_use(tx: Connection, key_id: int) -> None:
    """Remember that the key was used, and that its owner was active, at most once a day."""
    moment = now()
    is_old = keys.c.last_used_at.is_(None) | (keys.c.last_used_at < moment - LAST_USED_STEP)
    tx.execute(update(keys).where(keys.c.id == key_id, is_old).values(last_used_at=moment))
    owner: int | None = tx.execute(select(keys.c.user_id).where(keys.c.id == key_id)).scalar_one_or_none()
    if owner is not None:
        note_activity(tx, owner)
