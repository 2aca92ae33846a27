"""Signing in through a group's identity provider: from the posted response to a session, all or nothing."""

import hashlib
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta

import msgspec
from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from ingot.features.people.saml.commands.identities import link_identity
from ingot.features.people.saml.commands.people import Newcomer, create_person
from ingot.features.people.saml.commands.sync import SyncRules, ensure_member, sync_memberships
from ingot.features.people.saml.queries import find_identity, is_deprovisioned
from ingot.features.people.saml.requests import new_request, read_request
from ingot.features.people.saml.rows import SamlProviderRow
from ingot.features.people.saml.sso import (
    IdentityProvider,
    ResponseRefused,
    ServiceProvider,
    SignIn,
    check_response,
    sign_in_url,
)
from ingot.features.people.saml.tables import saml_pending_links, saml_used_assertions
from ingot.features.people.users import GROUP_SAML, find_user_by_email
from ingot.identity import sessions
from ingot.identity.rows import UserRow
from ingot.identity.tables import users
from ingot.kit.clock import now
from ingot.kit.db import Database
from ingot.kit.errors import Conflict

LINK_LIFETIME = timedelta(minutes=10)


class Arrival(msgspec.Struct, frozen=True):
    """One posted response and its context. `key`: signs our requests."""

    response: str
    key: str
    return_to: str
    address: str
    custom_roles: bool
    session_lifetime: timedelta


class SignedIn(msgspec.Struct, frozen=True):
    """Sign-in succeeded: `session` is the cookie's clear-text value."""

    user_id: int
    session: str
    until: datetime
    return_to: str
    changed_groups: tuple[int, ...]


class ProofNeeded(msgspec.Struct, frozen=True):
    """The e-mail address belongs to an account; the holder of `secret` may prove to be its owner."""

    secret: str


def begin_sign_in(
    provider: SamlProviderRow,
    sp: ServiceProvider,
    key: str,
    return_to: str,
    user_id: int | None,
    *,
    is_again: bool = False,
) -> str:
    """The address at the identity provider to send the browser to."""
    request = new_request(key, provider.id, user_id)
    return sign_in_url(sp, identity_provider(provider), request.id, relay_state=return_to, is_again=is_again)


def identity_provider(provider: SamlProviderRow) -> IdentityProvider:
    """The row as the profile knows it."""
    return IdentityProvider(
        sso_url=provider.sso_url,
        certificate=provider.certificate,
        fingerprint=provider.certificate_fingerprint,
        entity_id=provider.idp_entity_id,
    )


def accept_response(
    db: Database, provider: SamlProviderRow, sp: ServiceProvider, arrival: Arrival
) -> SignedIn | ProofNeeded:
    """Check the response, then do everything that follows in one transaction. Raises `ResponseRefused`."""
    uses: list[tuple[str, datetime]] = []

    def note_use(assertion_id: str, until: datetime) -> bool:
        uses.append((assertion_id, until))
        return True

    # The signature is checked before the transaction begins: nobody else should wait for it.
    sign_in = check_response(
        arrival.response,
        sp,
        identity_provider(provider),
        is_open_request=lambda request_id: bool(read_request(arrival.key, provider.id, request_id)),
        is_first_use=note_use,
    )
    try:
        return _sign_in(db, provider, arrival, sign_in, uses[0])
    except (IntegrityError, Conflict):
        # A concurrent request did the same; its result is visible now.
        return _sign_in(db, provider, arrival, sign_in, uses[0])


def _sign_in(
    db: Database, provider: SamlProviderRow, arrival: Arrival, sign_in: SignIn, use: tuple[str, datetime]
) -> SignedIn | ProofNeeded:
    request_id = sign_in.in_response_to
    request = None if request_id is None else read_request(arrival.key, provider.id, request_id)
    with db.write() as tx:
        _forget_expired(tx)
        _use_once(tx, provider.id, *use)
        if request is not None:
            _use_once(tx, provider.id, request.id, request.expires_at)
        user = _known_person(tx, provider.id, sign_in)
        asker = request.user_id if request is not None else 0
        if user is None and _has_account(tx, sign_in, asker):
            return ProofNeeded(_remember_pending(tx, provider.id, sign_in, arrival.return_to, asker or None))
        user_id = user.id if user is not None else _first_sign_in(tx, provider.id, sign_in)
        return enter(tx, provider, arrival, user_id, sign_in.groups, sign_in.session_not_on_or_after)


def enter(
    tx: Connection,
    provider: SamlProviderRow,
    arrival: Arrival,
    user_id: int,
    groups: Iterable[str],
    idp_session_end: datetime | None,
) -> SignedIn:
    """Finish an accepted sign-in: membership, roles from group links, a session."""
    _refuse_administrators(tx, user_id)
    role = provider.default_membership_role
    changed: set[int] = set()
    # A user whom the provider removed through SCIM must be restored through SCIM: a sign-in is not enough.
    if not is_deprovisioned(tx, provider.group_id, user_id):
        if ensure_member(tx, user_id, provider.group_id, role):
            changed.add(provider.group_id)
        rules = SyncRules(provider.group_id, GROUP_SAML, role, arrival.custom_roles)
        changed.update(sync_memberships(tx, user_id, groups, rules))
    moment = now()
    until = moment + arrival.session_lifetime
    seconds = int(arrival.session_lifetime.total_seconds())
    details: dict[str, object] = {"saml_provider_id": provider.id, sessions.LIFETIME: seconds}
    if idp_session_end is not None:
        until = min(until, idp_session_end)
        details[sessions.ENDS_AT] = idp_session_end.isoformat()
    tx.execute(
        update(users)
        .where(users.c.id == user_id)
        .values(
            last_sign_in_at=users.c.current_sign_in_at,
            last_sign_in_ip=users.c.current_sign_in_ip,
            current_sign_in_at=moment,
            current_sign_in_ip=arrival.address,
            sign_in_count=users.c.sign_in_count + 1,
            last_activity_on=moment.date(),
        )
    )
    clear = sessions.open_session(tx, user_id, until, details)
    return SignedIn(user_id, clear, until, arrival.return_to, tuple(sorted(changed)))


def _refuse_administrators(tx: Connection, user_id: int) -> None:
    """Group owners run their identity provider, and could take over the server by naming an administrator."""
    if tx.execute(select(users.c.is_admin).where(users.c.id == user_id)).scalar_one():
        raise ResponseRefused("Administrators cannot sign in through the identity provider of a group.")


def _forget_expired(tx: Connection) -> None:
    for table in (saml_used_assertions, saml_pending_links):
        tx.execute(delete(table).where(table.c.expires_at <= now()))


def _use_once(tx: Connection, provider_id: int, assertion_id: str, until: datetime) -> None:
    digest = hashlib.sha256(assertion_id.encode()).hexdigest()
    known = select(saml_used_assertions.c.digest).where(
        saml_used_assertions.c.saml_provider_id == provider_id, saml_used_assertions.c.digest == digest
    )
    if tx.execute(known).first() is not None:
        raise ResponseRefused("The assertion was already used.")
    tx.execute(insert(saml_used_assertions).values(saml_provider_id=provider_id, digest=digest, expires_at=until))


def _known_person(tx: Connection, provider_id: int, sign_in: SignIn) -> UserRow | None:
    identity = find_identity(tx, provider_id, uid=sign_in.name_id)
    if identity is None:
        return None
    row = tx.execute(select(users).where(users.c.id == identity.user_id)).one()
    if row.state != "active":
        raise ResponseRefused("Your account is not active. Ask your administrator.")
    return row


def _has_account(tx: Connection, sign_in: SignIn, asker: int) -> bool:
    """An account with this name or address exists.

    The identity provider alone is no proof: any group owner can run one.
    """
    if asker:
        return True
    return sign_in.email is not None and find_user_by_email(tx, sign_in.email) is not None


def _first_sign_in(tx: Connection, provider_id: int, sign_in: SignIn) -> int:
    if sign_in.email is None:
        raise ResponseRefused(
            "The identity provider did not send an email address, which is required for a new account."
        )
    user_id = create_person(tx, Newcomer(sign_in.email, sign_in.name, sign_in.username))
    link_identity(tx, provider_id, user_id, sign_in.name_id)
    return user_id


def _remember_pending(
    tx: Connection, provider_id: int, sign_in: SignIn, return_to: str, requested_by_id: int | None
) -> str:
    secret = secrets.token_urlsafe(32)
    tx.execute(
        insert(saml_pending_links).values(
            digest=hashlib.sha256(secret.encode()).hexdigest(),
            saml_provider_id=provider_id,
            extern_uid=sign_in.name_id,
            groups=list(sign_in.groups),
            requested_by_id=requested_by_id,
            return_to=return_to,
            session_until=sign_in.session_not_on_or_after,
            expires_at=now() + LINK_LIFETIME,
        )
    )
    return secret
