"""Identities: creating, renaming and removing the link between a user and an external UID."""

from sqlalchemy import Connection, delete, insert, literal, select, update
from sqlalchemy.exc import IntegrityError

from ingot.features.people.scim.errors import BlankUid, LongUid, UidTaken
from ingot.features.people.scim.queries import get_identity
from ingot.identity.rows import ScimIdentityRow
from ingot.identity.tables import scim_identities
from ingot.kit.clock import now

MAX_LENGTH = 255


def link(tx: Connection, group_id: int, user_id: int, uid: str, *, active: bool) -> None:
    """Create the identity: the group's provider manages the user from now on."""
    moment = now()
    tx.execute(
        insert(scim_identities).values(
            group_id=group_id,
            user_id=user_id,
            extern_uid=uid,
            extern_uid_lower=uid.lower(),
            active=active,
            created_at=moment,
            updated_at=moment,
        )
    )


def rename_identity(tx: Connection, group_id: int, uid: str, extern_uid: str) -> ScimIdentityRow:
    """Change the external UID of an identity; unique within the group, ignoring case."""
    identity = get_identity(tx, group_id, uid)
    if not extern_uid.strip():
        raise BlankUid
    if len(extern_uid) > MAX_LENGTH:
        raise LongUid
    return rename(tx, identity, extern_uid)


def rename(tx: Connection, identity: ScimIdentityRow, extern_uid: str) -> ScimIdentityRow:
    """Write the new name. Raises `UidTaken`."""
    taken = select(literal(1)).where(
        scim_identities.c.group_id == identity.group_id,
        scim_identities.c.extern_uid_lower == extern_uid.lower(),
        scim_identities.c.id != identity.id,
    )
    if tx.execute(taken).first() is not None:
        raise UidTaken
    change = (
        update(scim_identities)
        .where(scim_identities.c.id == identity.id)
        .values(extern_uid=extern_uid, extern_uid_lower=extern_uid.lower(), updated_at=now())
    )
    try:
        return tx.execute(change.returning(*scim_identities.c)).one()
    except IntegrityError:  # concurrent requests
        raise UidTaken from None


def remove_identity(tx: Connection, group_id: int, uid: str) -> None:
    """Remove the link; the person and the memberships stay."""
    identity = get_identity(tx, group_id, uid)
    tx.execute(delete(scim_identities).where(scim_identities.c.id == identity.id))
