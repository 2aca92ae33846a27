"""Linking users to identities at identity providers."""

from sqlalchemy import Connection, delete, insert, literal, select, update
from sqlalchemy.exc import IntegrityError

from ingot.features.people.saml.errors import BlankNameId, LongNameId, NameIdTaken
from ingot.features.people.saml.queries import get_identity
from ingot.features.people.users import GROUP_SAML
from ingot.identity.rows import IdentityRow
from ingot.identity.tables import identities
from ingot.kit.clock import now

MAX_LENGTH = 255


def rename_identity(tx: Connection, group_id: int, uid: str, extern_uid: str) -> IdentityRow:
    """Change the external UID of an identity; unique within the provider, ignoring case."""
    identity = get_identity(tx, group_id, uid)
    if not extern_uid.strip():
        raise BlankNameId
    if len(extern_uid) > MAX_LENGTH:
        raise LongNameId
    if _is_taken(tx, identity.saml_provider_id, extern_uid, except_id=identity.id):
        raise NameIdTaken
    change = (
        update(identities)
        .where(identities.c.id == identity.id)
        .values(extern_uid=extern_uid, extern_uid_lower=extern_uid.lower(), updated_at=now())
    )
    try:
        return tx.execute(change.returning(*identities.c)).one()
    except IntegrityError:  # concurrent requests
        raise NameIdTaken from None


def remove_identity(tx: Connection, group_id: int, uid: str) -> None:
    """Remove the link between a person and the provider; the person and the memberships stay."""
    identity = get_identity(tx, group_id, uid)
    tx.execute(delete(identities).where(identities.c.id == identity.id))


def link_identity(tx: Connection, provider_id: int, user_id: int, extern_uid: str) -> None:
    """A person's first sign-in through the provider."""
    if _is_taken(tx, provider_id, extern_uid):
        raise NameIdTaken
    moment = now()
    tx.execute(
        insert(identities).values(
            user_id=user_id,
            provider=GROUP_SAML,
            extern_uid=extern_uid,
            extern_uid_lower=extern_uid.lower(),
            saml_provider_id=provider_id,
            created_at=moment,
            updated_at=moment,
        )
    )


def _is_taken(tx: Connection, provider_id: int | None, extern_uid: str, except_id: int = 0) -> bool:
    statement = select(literal(1)).where(
        identities.c.saml_provider_id == provider_id,
        identities.c.extern_uid_lower == extern_uid.lower(),
        identities.c.id != except_id,
    )
    return tx.execute(statement).first() is not None
