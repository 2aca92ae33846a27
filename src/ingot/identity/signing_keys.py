"""Keys that sign identity tokens: RSA, sealed in the database, replaced every 90 days.

The public part of a replaced key is shown on, so that everything which it signed can be verified until it expires.
"""

from datetime import timedelta
from itertools import pairwise

from msgspec import Struct
from sqlalchemy import Connection, delete, insert, select

from ingot.identity.oauth_tables import signing_keys
from ingot.kit.clock import now
from ingot.kit.db import take_turn
from ingot.kit.sealing import Unreadable, seal, unseal
from ingot.kit.services import Services

BITS = 2048
REPLACED_AFTER = timedelta(days=90)
# Longer than any job may run, which is what a token of a job lives.
SHOWN_FOR = timedelta(days=45)
_TURN = "signing_keys"


class SigningKey(Struct, frozen=True):
    """The key that signs now."""

    kid: str
    pem: str


def sign(services: Services, claims: dict[str, object]) -> str:
    """The claims as a signed token (JWS, compact)."""
    from joserfc import jwt
    from joserfc.jwk import RSAKey

    current = current_key(services)
    key = RSAKey.import_key(current.pem)
    return jwt.encode({"alg": "RS256", "typ": "JWT", "kid": current.kid}, claims, key)


def current_key(services: Services) -> SigningKey:
    """The newest key; the first one is created here."""
    with services.db.read() as conn:
        newest = _newest(services, conn)
    return newest or _create_missing(services)


def public_keys(services: Services) -> list[dict[str, str]]:
    """The public keys that tokens in use are signed with, newest first."""
    current_key(services)
    with services.db.read() as conn:
        rows = conn.execute(select(signing_keys.c.public_key).order_by(signing_keys.c.created_at.desc()))
        return [dict(row.public_key) for row in rows]


def rotate(services: Services) -> str:
    """Sign with a new key from now on; returns its id."""
    kid, pem, public = _generate()
    with services.db.write() as tx:
        _store(services, tx, kid, pem, public)
    return kid


def rotate_if_due(services: Services) -> None:
    """Replace an old key, and delete those whose tokens have all expired."""
    moment = now()
    with services.db.read() as conn:
        newest = conn.execute(
            select(signing_keys.c.created_at).order_by(signing_keys.c.created_at.desc()).limit(1)
        ).scalar_one_or_none()
    if newest is not None and newest <= moment - REPLACED_AFTER:
        rotate(services)
    with services.db.write() as tx:
        kids = tx.execute(select(signing_keys.c.kid, signing_keys.c.created_at).order_by(signing_keys.c.created_at))
        rows = kids.all()
        # A key signed until its successor was created.
        ended = [row.kid for row, successor in pairwise(rows) if successor.created_at <= moment - SHOWN_FOR]
        tx.execute(delete(signing_keys).where(signing_keys.c.kid.in_(ended)))


def _newest(services: Services, conn: Connection) -> SigningKey | None:
    """None where there is none, or it was sealed with another secret key."""
    row = conn.execute(select(signing_keys).order_by(signing_keys.c.created_at.desc()).limit(1)).one_or_none()
    if row is None:
        return None
    try:
        return SigningKey(row.kid, unseal(services, row.private_key))
    except Unreadable:
        return None


def _create_missing(services: Services) -> SigningKey:
    kid, pem, public = _generate()
    with services.db.write() as tx:
        take_turn(tx, _TURN)
        known = _newest(services, tx)
        if known is not None:
            return known
        _store(services, tx, kid, pem, public)
    return SigningKey(kid, pem)


def _store(services: Services, tx: Connection, kid: str, pem: str, public: dict[str, str]) -> None:
    tx.execute(
        insert(signing_keys).values(kid=kid, private_key=seal(services, pem), public_key=public, created_at=now())
    )


def _generate() -> tuple[str, str, dict[str, str]]:
    from joserfc.jwk import RSAKey

    key: RSAKey = RSAKey.generate_key(BITS)
    kid = key.thumbprint()
    public = {name: str(value) for name, value in key.as_dict(private=False).items()}
    return kid, key.as_pem(private=True).decode(), {**public, "kid": kid, "use": "sig", "alg": "RS256"}
