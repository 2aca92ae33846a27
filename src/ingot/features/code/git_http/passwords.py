"""Passwords over git: for people without a second factor, where the instance takes them."""

import hmac
import secrets
import time

import msgspec
from sqlalchemy import Connection

from ingot.access.required_factors import is_password_enough
from ingot.identity.account_locks import is_locked
from ingot.identity.authentication import actor_of_user, check_user
from ingot.identity.logins import find_by_login, has_password, is_of_directory, must_confirm
from ingot.identity.rows import UserRow
from ingot.instance import application_setting
from ingot.kit.actor import Actor
from ingot.kit.patterns import pattern
from ingot.kit.rate_windows import hit, observed
from ingot.kit.services import Services

MOST_FAILURES, MOST_OF_ADDRESS, MINUTE = 10, 60, 60
TOKEN = pattern(r"gl[a-z]{2,7}-")  # tokens that hold no more are not hashed as passwords
# A clone makes several requests, and LFS one for each file: a password that was right need not be hashed each time.
REMEMBERED, MOST_REMEMBERED = 60.0, 1000
_KEY = secrets.token_bytes(32)
_proved: dict[bytes, float] = {}


class Attempt(msgspec.Struct, frozen=True):
    """A name and a password, and where they come from."""

    login: str
    password: str
    address: str
    base_url: str


def actor_by_password(services: Services, conn: Connection, attempt: Attempt) -> Actor | None:
    """The actor; None where the password is wrong, not taken, or not enough.

    Failures are counted by account and by address: each costs the time of a hash, whoever is named.
    """
    login, password = attempt.login, attempt.password
    if not login or not password or TOKEN.match(password):
        return None
    if not application_setting(conn, "password_authentication_enabled_for_git"):
        return None
    row = find_by_login(conn, login)
    by_account = f"git_password:{login.lower() if row is None else row.id}"[:200]
    by_address = f"git_password:{attempt.address}"[:200]
    if observed(conn, by_account, MINUTE) >= MOST_FAILURES or observed(conn, by_address, MINUTE) >= MOST_OF_ADDRESS:
        return None
    if row is None or not _is_right(row, password):
        if row is None:
            has_password(None, password)  # takes as long as for somebody who is there
        hit(services.db, by_account, MINUTE)
        hit(services.db, by_address, MINUTE)
        return None
    check_user(row, attempt.base_url)
    if is_locked(row):
        return None
    if must_confirm(conn, services.settings, row) or is_of_directory(conn, row.id):
        return None
    if not is_password_enough(services.db, row.id):
        return None
    return actor_of_user(row, frozenset({"read_repository", "write_repository"}))


def _is_right(row: UserRow, password: str) -> bool:
    proof = hmac.digest(_KEY, f"{row.id}:{row.password_hash}:{password}".encode("utf-8", "replace"), "sha256")
    moment = time.monotonic()
    if _proved.get(proof, 0.0) > moment:
        return True
    if not has_password(row, password):
        return False
    if len(_proved) >= MOST_REMEMBERED:
        _proved.clear()
    _proved[proof] = moment + REMEMBERED
    return True
