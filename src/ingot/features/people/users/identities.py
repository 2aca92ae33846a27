"""Identities of users at identity providers, managed by administrators."""

from collections.abc import Callable

from sqlalchemy import Connection, delete, insert, literal, select
from sqlalchemy.exc import IntegrityError

from ingot.access.tables import namespaces
from ingot.identity.rows import IdentityRow
from ingot.identity.tables import identities
from ingot.kit.clock import now
from ingot.kit.errors import Invalid, NotFound

MAX_LENGTH = 255
GROUP_SAML = "group_saml"  # the provider's name in identities at a group's own provider
TAKEN = {"identities.extern_uid": ["has already been taken"]}

EnsureProvider = Callable[[Connection, int], int]
_group_providers: list[EnsureProvider] = []


def group_provider_source(ensure: EnsureProvider) -> EnsureProvider:
    """Register how the id of a top-level group's own provider is found, or one is made."""
    _group_providers[:] = [ensure]
    return ensure


def set_identity(tx: Connection, user_id: int, provider: str, extern_uid: str, saml_group_id: int | None) -> None:
    """Give the user this account at the provider, replacing a former one there.

    With a group it is an account at that group's own SAML provider.
    """
    problems = {
        f"identities.{name}": [f"is too long (maximum is {MAX_LENGTH} characters)"]
        for name, text in (("provider", provider), ("extern_uid", extern_uid))
        if len(text) > MAX_LENGTH
    }
    if problems:
        raise Invalid(problems)
    scope = None if saml_group_id is None else _provider_of_group(tx, saml_group_id)
    name = provider if scope is None else GROUP_SAML
    here = (identities.c.provider == name, identities.c.saml_provider_id.is_not_distinct_from(scope))
    taken = select(literal(1)).where(
        *here, identities.c.extern_uid_lower == extern_uid.lower(), identities.c.user_id != user_id
    )
    if tx.execute(taken).first() is not None:
        raise Invalid(TAKEN)
    tx.execute(delete(identities).where(*here, identities.c.user_id == user_id))
    moment = now()
    fresh = insert(identities).values(
        user_id=user_id,
        provider=name,
        extern_uid=extern_uid,
        extern_uid_lower=extern_uid.lower(),
        saml_provider_id=scope,
        created_at=moment,
        updated_at=moment,
    )
    try:
        tx.execute(fresh)
    except IntegrityError:  # concurrent requests
        raise Invalid(TAKEN) from None


def get_identity(conn: Connection, user_id: int, provider: str) -> IdentityRow:
    """The user's (oldest) account at the provider; raises 404."""
    row = conn.execute(
        select(identities)
        .where(identities.c.user_id == user_id, identities.c.provider == provider)
        .order_by(identities.c.id)
        .limit(1)
    ).one_or_none()
    if row is None:
        raise NotFound("Identity")
    return row


def delete_identity(tx: Connection, identity_id: int) -> None:
    """Remove an identity at a provider; the user stays."""
    tx.execute(delete(identities).where(identities.c.id == identity_id))


def _provider_of_group(tx: Connection, group_id: int) -> int:
    group = tx.execute(
        select(namespaces.c.id, namespaces.c.parent_id).where(namespaces.c.id == group_id, namespaces.c.kind == "group")
    ).one_or_none()
    if group is None:
        raise NotFound("Group")
    if group.parent_id is not None:
        raise Invalid({"group_id_for_saml": ["must be a top-level group"]})
    return _group_providers[0](tx, group.id)
