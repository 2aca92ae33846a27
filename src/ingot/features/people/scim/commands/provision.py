"""Provisioning: finds or creates the account, or refuses; then adds the membership."""

from sqlalchemy import Connection

from ingot.features.people.saml import Newcomer, create_person, find_identity, link_identity
from ingot.features.people.scim.commands.identities import link
from ingot.features.people.scim.commands.membership import set_active
from ingot.features.people.scim.errors import invalid_value, taken, unlinked
from ingot.features.people.scim.protocol.attributes import PersonChange
from ingot.features.people.scim.queries import find_person, get_person
from ingot.features.people.scim.rows import ScimPersonRow, ScimProviderRow
from ingot.features.people.users import find_user_by_email, problems_of


def provision(tx: Connection, provider: ScimProviderRow, options: PersonChange) -> bool:
    """Provision the user; returns whether a membership changed.

    Provisioning again changes nothing, except that it restores a removed user.
    """
    uid = options.uid or ""
    active = options.active is not False
    known = find_person(tx, provider.group_id, uid=uid)
    if known is None:
        known = _connect(tx, provider, options, uid)
    return set_active(tx, provider, known, active=active)


def _connect(tx: Connection, provider: ScimProviderRow, options: PersonChange, uid: str) -> ScimPersonRow:
    user_id = _account(tx, provider, options, uid)
    known = find_person(tx, provider.group_id, user_id=user_id)
    if known is None:
        link(tx, provider.group_id, user_id, uid, active=False)
        return get_person(tx, provider.group_id, user_id)
    # The same person may have been connected by another request since we looked for them.
    if known.extern_uid_lower != uid.lower():
        raise taken("User has already been taken")
    return known


def _account(tx: Connection, provider: ScimProviderRow, options: PersonChange, uid: str) -> int:
    """The person's account. An address alone never leads to one: every group owner can run an identity provider."""
    identity = find_identity(tx, provider.id, uid=uid)
    if identity is not None:
        return int(identity.user_id)
    email = options.email or ""
    if problems := problems_of({"email": email}):
        raise invalid_value(f"Email {problems['email'][0]}")
    owner = find_user_by_email(tx, email)
    if owner is None:
        user_id = create_person(tx, Newcomer(email, options.name, options.username, provider.group_id))
        link_identity(tx, provider.id, user_id, uid)
        return user_id
    # Who has signed in through this provider has proved that the account is theirs. Further addresses do not lead to
    # it: everybody can enter those of others, and would take the place that is meant for them.
    if owner.email_lower != email.lower() or find_identity(tx, provider.id, user_id=owner.id) is None:
        raise unlinked()
    return int(owner.id)
