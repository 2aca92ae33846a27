"""Second factors: codes by time (TOTP), and recovery codes that work once each; keys are in `security_keys`."""

import base64
import hashlib
import hmac
import secrets
import time
from collections.abc import Collection
from urllib.parse import quote

from sqlalchemy import ColumnElement, Connection, bindparam, delete, exists, insert, or_, select, update

from ingot.identity.tables import recovery_codes, second_factors, users, webauthn_registrations
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now
from ingot.kit.sealing import seal, unseal
from ingot.kit.services import Services

STEP = 30  # seconds
DIGITS = 6
DRIFT = 1  # steps that a clock may be off
CODES = 10


def new_secret() -> str:
    """A secret for an authenticator, in base 32."""
    return base64.b32encode(secrets.token_bytes(20)).decode()


def provisioning_uri(secret: str, account: str, issuer: str) -> str:
    """The address that authenticators read from a QR code."""
    label, name = quote(f"{issuer}:{account}", safe=""), quote(issuer, safe="")
    return f"otpauth://totp/{label}?secret={secret}&issuer={name}&digits={DIGITS}&period={STEP}"


def code_at(secret: str, step: int) -> str:
    """The code of one step of time (RFC 6238 with SHA-1, which every authenticator knows)."""
    digest = hmac.digest(base64.b32decode(secret), step.to_bytes(8, "big"), "sha1")
    offset = digest[-1] & 15
    number = int.from_bytes(digest[offset : offset + 4], "big") & 0x7FFFFFFF
    return str(number % 10**DIGITS).zfill(DIGITS)


def matching_step(secret: str, code: str) -> int | None:
    """The step whose code this is, of those that count now."""
    current = int(time.time()) // STEP
    steps = range(current - DRIFT, current + DRIFT + 1)
    return next((step for step in steps if hmac.compare_digest(code_at(secret, step).encode(), code.encode())), None)


def has_second_factor(conn: Connection, user_id: int) -> bool:
    """The user signs in with a second factor."""
    return bool(users_with_second_factor(conn, [user_id]))


def with_second_factor(user_id: ColumnElement[int]) -> ColumnElement[bool]:
    """The condition that the user of a row signs in with codes or keys."""
    codes = exists().where(second_factors.c.user_id == user_id)
    return or_(codes, exists().where(webauthn_registrations.c.user_id == user_id))


_WITH_SECOND_FACTOR = select(users.c.id).where(
    users.c.id.in_(bindparam("users", expanding=True)), with_second_factor(users.c.id)
)


def users_with_second_factor(conn: Connection, user_ids: Collection[int]) -> frozenset[int]:
    """Those of the users who sign in with a second factor."""
    return frozenset(conn.execute(_WITH_SECOND_FACTOR, {"users": user_ids}).scalars())


def has_codes(conn: Connection, user_id: int) -> bool:
    """The user's second factor is an authenticator that shows codes, perhaps beside keys."""
    return conn.execute(select(second_factors.c.user_id).where(second_factors.c.user_id == user_id)).first() is not None


def enable(tx: Connection, services: Services, user_id: int, secret: str, step: int) -> list[str]:
    """Switch the second factor on; returns the recovery codes. The code of `step` proved the secret, and is used up."""
    tx.execute(delete(second_factors).where(second_factors.c.user_id == user_id))
    values = {"user_id": user_id, "secret": seal(services, secret), "last_step": step, "created_at": now()}
    tx.execute(insert(second_factors).values(values))
    report_change(tx, Change("account", "enable_two_factor", user_id))
    return renew_recovery_codes(tx, user_id)


def disable(tx: Connection, user_id: int) -> bool:
    """Switch codes and keys off; False if the user had neither."""
    was_on = has_second_factor(tx, user_id)
    for table in (recovery_codes, second_factors, webauthn_registrations):
        tx.execute(delete(table).where(table.c.user_id == user_id))
    if was_on:
        report_change(tx, Change("account", "disable_two_factor", user_id))
    return was_on


def forget_codes(tx: Connection, user_id: int) -> None:
    """The last second factor is gone, and with it the recovery codes."""
    tx.execute(delete(recovery_codes).where(recovery_codes.c.user_id == user_id))
    report_change(tx, Change("account", "disable_two_factor", user_id))


def renew_recovery_codes(tx: Connection, user_id: int) -> list[str]:
    """New recovery codes in place of all former ones; only their digests are stored."""
    codes = [secrets.token_hex(8) for _ in range(CODES)]
    tx.execute(delete(recovery_codes).where(recovery_codes.c.user_id == user_id))
    tx.execute(insert(recovery_codes), [{"user_id": user_id, "digest": _digest(code)} for code in codes])
    return codes


def use_code(tx: Connection, services: Services, user_id: int, typed: str) -> bool:
    """Whether the code is right; it is used up. A code of an earlier step than the last one counts no more."""
    code = "".join(typed.split()).lower()
    if len(code) == DIGITS and code.isascii() and code.isdigit():
        return _use_step(tx, services, user_id, code)
    mine = (recovery_codes.c.user_id == user_id) & (recovery_codes.c.digest == _digest(code))
    return tx.execute(delete(recovery_codes).where(mine)).rowcount == 1


def _use_step(tx: Connection, services: Services, user_id: int, code: str) -> bool:
    mine = second_factors.c.user_id == user_id
    sealed = tx.execute(select(second_factors.c.secret).where(mine)).scalar_one_or_none()
    step = None if sealed is None else matching_step(unseal(services, sealed), code)
    if step is None:
        return False
    used = update(second_factors).where(mine, second_factors.c.last_step < step).values(last_step=step)
    return tx.execute(used).rowcount == 1


def _digest(code: str) -> str:
    # Codes are 64 random bits and tries are counted: a plain hash is enough.
    return hashlib.sha256(code.encode("utf-8", "replace")).hexdigest()
