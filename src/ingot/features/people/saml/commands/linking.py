"""Connecting a SAML identity to an existing account, after its owner has proved ownership."""

import hashlib

from msgspec.structs import replace
from sqlalchemy import Connection, delete, select

from ingot.access.tables import namespaces
from ingot.features.people.saml.commands.identities import link_identity
from ingot.features.people.saml.commands.sign_in import Arrival, SignedIn, enter
from ingot.features.people.saml.errors import NameIdTaken
from ingot.features.people.saml.queries import find_provider
from ingot.features.people.saml.rows import PendingLinkRow
from ingot.features.people.saml.sso import ResponseRefused
from ingot.features.people.saml.tables import saml_pending_links, saml_providers
from ingot.identity.tables import identities
from ingot.kit.clock import now


def find_pending_link(conn: Connection, secret: str) -> PendingLinkRow | None:
    """The sign-in that waits for a proof, with its group."""
    return conn.execute(
        select(saml_pending_links, namespaces.c.name.label("group_name"))
        .join(saml_providers, saml_providers.c.id == saml_pending_links.c.saml_provider_id)
        .join(namespaces, namespaces.c.id == saml_providers.c.group_id)
        .where(saml_pending_links.c.digest == _digest(secret), saml_pending_links.c.expires_at > now())
    ).one_or_none()


def complete_link(tx: Connection, secret: str, user_id: int, arrival: Arrival) -> SignedIn:
    """Link the identity to the proven account and sign in. Raises `ResponseRefused`."""
    pending = tx.execute(
        delete(saml_pending_links)
        .where(saml_pending_links.c.digest == _digest(secret), saml_pending_links.c.expires_at > now())
        .returning(*saml_pending_links.c)
    ).one_or_none()
    if pending is None:
        raise ResponseRefused("The sign-in expired. Start again.")
    provider = tx.execute(select(saml_providers).where(saml_providers.c.id == pending.saml_provider_id)).one()
    current = find_provider(tx, provider.group_id)
    if current is None or not current.enabled:
        raise ResponseRefused("The group no longer uses an identity provider for sign-in.")
    other = tx.execute(
        select(identities.c.extern_uid).where(
            identities.c.saml_provider_id == provider.id, identities.c.user_id == user_id
        )
    ).one_or_none()
    if other is not None:
        raise ResponseRefused("The account is connected to another identity of this group. Ask its owner to remove it.")
    try:
        link_identity(tx, provider.id, user_id, pending.extern_uid)
    except NameIdTaken:
        raise ResponseRefused("This identity is already connected to another account.") from None
    return enter(
        tx, provider, replace(arrival, return_to=pending.return_to), user_id, pending.groups, pending.session_until
    )


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
