"""Reading GPG keys."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import Connection, Select, and_, literal, or_, select, union_all

from ingot.features.people.gpg_keys.rows import GpgKeyRow, SigningKeyRow
from ingot.features.people.gpg_keys.tables import gpg_key_subkeys as subkeys
from ingot.features.people.gpg_keys.tables import gpg_keys as keys
from ingot.kit.openpgp import Issuer

MOST_TRIED = 20  # keys for one signature


def keys_of(user_id: int) -> Select[Any]:
    """The keys of a user, without revoked ones."""
    return select(keys).where(keys.c.user_id == user_id, keys.c.revoked_at.is_(None)).order_by(keys.c.id)


def find(conn: Connection, user_id: int, key_id: int) -> GpgKeyRow | None:
    """One key of a user, or None."""
    return conn.execute(keys_of(user_id).where(keys.c.id == key_id)).one_or_none()


def find_signing_keys(conn: Connection, issuers: Collection[Issuer]) -> dict[Issuer, list[SigningKeyRow]]:
    """By signature: the key that it names, then those that have its subkey or claim to; revoked ones too."""
    keys: dict[Issuer, list[SigningKeyRow]] = {issuer: [] for issuer in issuers}
    if not keys:
        return keys
    wanted = list(keys)
    tried = [_keys_of_issuer(issuer, place) for place, issuer in enumerate(wanted)]
    for row in conn.execute(union_all(*tried)).all():
        keys[wanted[row.place]].append(row)
    return keys


def _keys_of_issuer(issuer: Issuer, place: int) -> Select[Any]:
    if issuer.fingerprint is not None:
        primary, sub = keys.c.fingerprint == issuer.fingerprint, subkeys.c.fingerprint == issuer.fingerprint
    else:
        primary, sub = keys.c.primary_keyid == issuer.key_id, subkeys.c.keyid == issuer.key_id
    of_key = and_(subkeys.c.gpg_key_id == keys.c.id, sub)
    query = select(keys, subkeys.c.id.label("subkey_id"), literal(place).label("place")).outerjoin(subkeys, of_key)
    named = query.where(or_(primary, subkeys.c.id.is_not(None)))
    # Below another `select`: SQLite takes no limit right inside a union.
    return select(named.order_by(primary.desc(), keys.c.id).limit(MOST_TRIED).subquery())


def users_of(row: GpgKeyRow) -> list[tuple[str, str]]:
    """Names and addresses that the key claims."""
    return [(name, address) for name, address in row.users]
