"""Accounts for people whom an identity provider presents for the first time."""

import re
import unicodedata

from sqlalchemy import Connection, select

from ingot.access.tables import namespaces
from ingot.features.saml.sso import SignIn
from ingot.features.users import create_user
from ingot.identity.tables import users

MAX_USERNAME = 200


def create_person(tx: Connection, sign_in: SignIn, email: str) -> int:
    """An account with the name, address and user name that the identity provider sent."""
    username = _free_username(tx, sign_in.username or email.partition("@")[0])
    return create_user(tx, username=username, name=(sign_in.name or username)[:255], email=email)


def _free_username(tx: Connection, wish: str) -> str:
    """The wish as a valid user name; a number is added while somebody else has it."""
    plain = unicodedata.normalize("NFKD", wish).encode("ascii", "ignore").decode()
    # Begins with a letter, digit or underscore; single separators inside; no ending that a path rule refuses.
    base = re.sub(r"[^A-Za-z0-9_.-]+", "-", plain)
    base = re.sub(r"[.-]{2,}", "-", base).strip(".-")[:MAX_USERNAME]
    base = re.sub(r"(\.git|\.atom)$", "", base, flags=re.IGNORECASE).strip(".-") or "user"
    candidate, number = base, 0
    while _is_taken(tx, candidate):
        number += 1
        candidate = f"{base}{number}"
    return candidate


def _is_taken(tx: Connection, username: str) -> bool:
    lowered = username.lower()
    found = select(users.c.id).where(users.c.username_lower == lowered)
    paths = select(namespaces.c.id).where(namespaces.c.full_path_lower == lowered)
    return tx.execute(found.union(paths).limit(1)).first() is not None
