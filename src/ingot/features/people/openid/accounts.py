"""Accounts of people whom the provider knows: finding, connecting and creating them."""

from sqlalchemy import Connection, select

from ingot.features.people.openid.provider import Identity
from ingot.features.people.saml import free_username
from ingot.features.people.users import create_user, problems_of, set_identity
from ingot.identity.rows import UserRow
from ingot.identity.tables import identities, users
from ingot.instance import application_setting
from ingot.kit.clock import now

PROVIDER = "openid_connect"
NO_ACCOUNT = "You have no account here. Ask an administrator for one."
NO_ADDRESS = "The provider did not send your email address, so no account can be created. Ask an administrator."
TAKEN = (
    "An account with your email address already exists. Sign in to it another way and connect it in your settings,"
    " or ask an administrator."
)


class Refused(Exception):
    """Nobody is signed in; the text tells the person why."""


def find_account(conn: Connection, subject: str, provider: str = PROVIDER) -> UserRow | None:
    """The person with this name at the provider. Case is part of a name there, but not in a directory."""
    row = conn.execute(
        select(users, identities.c.extern_uid)
        .join_from(users, identities, identities.c.user_id == users.c.id)
        .where(
            identities.c.provider == provider,
            identities.c.saml_provider_id.is_(None),
            identities.c.extern_uid_lower == subject.lower(),
        )
    ).one_or_none()
    return row if row is not None and (provider != PROVIDER or row.extern_uid == subject) else None


def connect_account(tx: Connection, user_id: int, identity: Identity, provider: str = PROVIDER) -> None:
    """Let the person sign in to an account by the provider."""
    set_identity(tx, user_id, provider, identity.subject, None)


def register_account(tx: Connection, identity: Identity, *, is_open: bool, provider: str = PROVIDER) -> int:
    """An account for somebody new. An address that somebody has already is never enough to get into their account."""
    if not is_open:
        raise Refused(NO_ACCOUNT)
    if not identity.email or problems_of({"email": identity.email}):
        raise Refused(NO_ADDRESS)
    taken = select(users.c.id).where(users.c.email_lower == identity.email.lower())
    if tx.execute(taken).first() is not None:
        raise Refused(TAKEN)
    username = free_username(tx, identity.username or identity.email)
    waits = bool(application_setting(tx, "require_admin_approval_after_user_signup"))
    user_id = create_user(
        tx,
        username=username,
        name=(identity.name or username)[:255],
        email=identity.email,
        state="blocked_pending_approval" if waits else "active",
        confirmed_at=now() if identity.is_verified else None,
        profile={},
        projects_limit=application_setting(tx, "default_projects_limit"),
        can_create_group=application_setting(tx, "can_create_group"),
        is_external=application_setting(tx, "user_default_external"),
    )
    connect_account(tx, user_id, identity, provider)
    return user_id
