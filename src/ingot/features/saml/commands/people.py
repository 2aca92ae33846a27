"""Accounts for people whom an identity provider presents for the first time."""

import re
import unicodedata

from sqlalchemy import Connection, select

from ingot.access.tables import namespaces
from ingot.features.saml.sso import ResponseRefused, SignIn
from ingot.features.users import create_user, problems_of
from ingot.identity.tables import users
from ingot.instance import application_setting

MAX_USERNAME = 200


def create_person(tx: Connection, sign_in: SignIn, email: str) -> int:
    """An account with the name, address and user name that the identity provider sent."""
    if problems_of({"email": email}):
        raise ResponseRefused("The identity provider sent an e-mail address that cannot be used.")
    username = _free_username(tx, sign_in.username or email.partition("@")[0])
    return create_user(
        tx,
        username=username,
        name=(sign_in.name or username)[:255],
        email=email,
        projects_limit=application_setting(tx, "default_projects_limit"),
        can_create_group=application_setting(tx, "can_create_group"),
        is_external=application_setting(tx, "user_default_external"),
    )


def _free_username(tx: Connection, wish: str) -> str:
    """The wish as a valid user name; a number is added while it is taken or reserved."""
    plain = unicodedata.normalize("NFKD", wish).encode("ascii", "ignore").decode()
    base = re.sub(r"[^A-Za-z0-9_.-]+", "-", plain)
    base = re.sub(r"[.-]{2,}", "-", base).strip(".-")[:MAX_USERNAME]
    base = re.sub(r"(\.git|\.atom)$", "", base, flags=re.IGNORECASE).strip(".-") or "user"
    candidate, number = base, 0
    while problems_of({"username": candidate}) or _is_taken(tx, candidate):
        number += 1
        candidate = f"{base}{number}"
    return candidate


def _is_taken(tx: Connection, username: str) -> bool:
    lowered = username.lower()
    found = select(users.c.id).where(users.c.username_lower == lowered)
    paths = select(namespaces.c.id).where(namespaces.c.full_path_lower == lowered)
    return tx.execute(found.union(paths).limit(1)).first() is not None
