"""Who signs in under a name, and whether the password is theirs; the same for every door."""

import secrets
import threading
from datetime import timedelta
from functools import cache

from sqlalchemy import Connection, exists, or_, select

from ingot.identity import passwords
from ingot.identity.rows import UserRow
from ingot.identity.tables import identities, users
from ingot.instance import application_setting
from ingot.kit.clock import now
from ingot.settings import Settings

# Hashing takes memory and a tenth of a second: many sign-ins at once must not overload the machine.
_turns = threading.BoundedSemaphore(4)


def find_by_login(conn: Connection, login: str) -> UserRow | None:
    """The person with this user name or address, whatever its case."""
    name = login.lower()
    query = select(users).where(or_(users.c.username_lower == name, users.c.email_lower == name))
    # A user name may look like an address of another user; the name wins.
    row: UserRow | None = conn.execute(query.order_by((users.c.username_lower == name).desc()).limit(1)).one_or_none()
    return row


def has_password(row: UserRow | None, password: str) -> bool:
    """Whether the password is right. It takes as long for a person who does not exist, or who has no password."""
    stored = None if row is None else row.password_hash
    with _turns:
        is_right = passwords.matches(password[: passwords.MAXIMUM], stored or _dummy_hash())
    return row is not None and bool(stored) and is_right and row.kind == "human"


UNCONFIRMED_USE = timedelta(days=3)  # where the instance lets people in before they prove their address


# Provider names of directories begin like this. Their people have no password here: it would outlive the directory's.
OF_DIRECTORY = exists().where(identities.c.user_id == users.c.id, identities.c.provider.startswith("ldap"))


def is_of_directory(conn: Connection, user_id: int) -> bool:
    """Whether a directory says who the person is, so that no password of this server opens the account."""
    return conn.execute(select(users.c.id).where(users.c.id == user_id, OF_DIRECTORY)).first() is not None


def must_confirm(conn: Connection, settings: Settings, row: UserRow) -> bool:
    """Whether somebody who registered has to prove their address before a password or a key opens any door."""
    if not settings.smtp_url or row.confirmed_at is not None or not row.profile.get("registered"):
        return False
    match application_setting(conn, "email_confirmation_setting"):
        case "off":
            return False
        case "soft":
            return row.created_at + UNCONFIRMED_USE < now()
        case _:
            return True


@cache
def _dummy_hash() -> str:
    return passwords.hashed(secrets.token_hex(16))
