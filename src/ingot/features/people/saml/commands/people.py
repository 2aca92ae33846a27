"""Creating accounts at the first sign-in through an identity provider."""

import secrets
import unicodedata

import msgspec
from sqlalchemy import Connection, func, select

from ingot.access.tables import namespaces
from ingot.features.people.saml.sso import ResponseRefused
from ingot.features.people.users import create_user, problems_of
from ingot.identity.tables import users
from ingot.instance import application_setting
from ingot.kit.patterns import pattern

MAX_USERNAME = 200
COUNTED = 30
_OTHER = pattern(r"[^A-Za-z0-9_.-]+")
_MARKS = pattern(r"[._-]{2,}")
_ENDING = pattern(r"(\.git|\.atom)+$", ignore_case=True)


class Newcomer(msgspec.Struct, frozen=True):
    """The profile sent by an identity provider. `group_id`: the group that manages the account through SCIM."""

    email: str
    name: str | None = None
    username: str | None = None
    group_id: int | None = None


def create_person(tx: Connection, newcomer: Newcomer) -> int:
    """An account with the name, address and username that the identity provider sent.

    The address is not confirmed: every group owner can run an identity provider, and invitations of other groups wait
    until the address is confirmed.
    """
    email = newcomer.email
    if problems_of({"email": email}):
        raise ResponseRefused("The identity provider sent an email address that cannot be used.")
    username = free_username(tx, newcomer.username or email)
    return create_user(
        tx,
        username=username,
        name=(newcomer.name or username)[:255],
        email=email,
        confirmed_at=None,
        profile={} if newcomer.group_id is None else {"provisioned_by_group_id": newcomer.group_id},
        projects_limit=application_setting(tx, "default_projects_limit"),
        can_create_group=application_setting(tx, "can_create_group"),
        is_external=application_setting(tx, "user_default_external"),
    )


def free_username(tx: Connection, options: str, except_id: int = 0) -> str:
    """A free username like the requested one (for an address, the part before the @), with a number if it is taken."""
    local = options.partition("@")[0] or options
    plain = unicodedata.normalize("NFKD", local[:MAX_USERNAME]).encode("ascii", "ignore").decode()
    base = _OTHER.sub("-", plain)
    base = _MARKS.sub("-", base).strip("._-")
    # Whatever is left is valid with a number behind it, so that the search below ends.
    base = _ENDING.sub("", base).strip("._-") or "user"
    candidate, number = base, 0
    while problems_of({"username": candidate}) or _is_taken(tx, candidate, except_id):
        number += 1
        # Counting up would make each of thousands of equal names slower than the last.
        candidate = f"{base}{number}" if number <= COUNTED else f"{base}{secrets.randbelow(10**9)}"
    return candidate


def _is_taken(tx: Connection, username: str, except_id: int) -> bool:
    lowered = username.lower()
    query = select(users.c.id).where(users.c.username_lower == lowered, users.c.id != except_id)
    paths = select(namespaces.c.id).where(
        namespaces.c.full_path_lower == lowered, func.coalesce(namespaces.c.owner_id, -1) != except_id
    )
    return tx.execute(query.union(paths).limit(1)).first() is not None
