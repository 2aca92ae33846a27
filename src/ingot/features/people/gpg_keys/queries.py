"""Reading GPG keys."""

from typing import Any

from sqlalchemy import Connection, Select, and_, or_, select

from ingot.features.people.gpg_keys.rows import GpgKeyRow, SigningKeyRow
from ingot.features.people.gpg_keys.tables import gpg_key_subkeys as subkeys
from ingot.features.people.gpg_keys.tables import gpg_keys as keys
from ingot.kit.openpgp import Issuer


def keys_of(user_id: int) -> Select[Any]:
    """The keys of a user, without revoked ones."""
    return select(keys).where(keys.c.user_id == user_id, keys.c.revoked_at.is_(None)).order_by(keys.c.id)


def find(conn: Connection, user_id: int, key_id: int) -> GpgKeyRow | None:
    """One key of a user, or None."""
    return conn.execute(keys_of(user_id).where(keys.c.id == key_id)).one_or_none()


def find_signing_key(conn: Connection, issuer: Issuer) -> SigningKeyRow | None:
    """The key that a signature names, or whose subkey it names; revoked ones too."""
    if issuer.fingerprint is not None:
        primary, sub = keys.c.fingerprint == issuer.fingerprint, subkeys.c.fingerprint == issuer.fingerprint
    else:
        primary, sub = keys.c.primary_keyid == issuer.key_id, subkeys.c.keyid == issuer.key_id
    of_key = and_(subkeys.c.gpg_key_id == keys.c.id, sub)
    query = select(keys, subkeys.c.id.label("subkey_id")).outerjoin(subkeys, of_key)
    result: SigningKeyRow | None = conn.execute(
        query.where(or_(primary, subkeys.c.id.is_not(None))).order_by(keys.c.id).limit(1)
    ).one_or_none()
    return result


def users_of(row: GpgKeyRow) -> list[tuple[str, str]]:
    """Names and addresses that the key claims."""
    return [(name, address) for name, address in row.users]
