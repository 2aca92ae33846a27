"""Checking and storing SSH public keys."""

from sqlalchemy import select

from ingot.access.call import Call
from ingot.features.people.users.params import AddKey
from ingot.features.people.users.rows import UserKeyRow
from ingot.features.people.users.tables import keys
from ingot.kit.clock import now
from ingot.kit.errors import Invalid
from ingot.kit.public_keys import PublicKey, read_public_key


def fingerprint(text: str) -> str | None:
    """The SHA-256 of the key's blob, or None where the text is no public key that is strong enough."""
    key = read_public_key(text)
    return None if key is None or key.weakness is not None else key.sha256


def _require_acceptable(text: str) -> PublicKey:
    """The key of this text, unless it is rubbish or too weak."""
    key = read_public_key(text)
    if key is None:
        raise Invalid({"key": ["is invalid"], "fingerprint": ["cannot be generated"]})
    if key.weakness is not None:
        raise Invalid({"key": [key.weakness]})
    return key


def add(call: Call, user_id: int, options: AddKey) -> UserKeyRow:
    """Store a key that nobody has yet."""
    key = _require_acceptable(options.key)
    if not options.title.strip():
        raise Invalid({"title": ["can't be blank"]})
    if len(options.title) > 255:
        raise Invalid({"title": ["is too long (maximum is 255 characters)"]})
    with call.write() as tx:
        if tx.execute(select(keys.c.id).where(keys.c.fingerprint == key.sha256)).first() is not None:
            raise Invalid({"fingerprint_sha256": ["has already been taken"]})
        return tx.execute(
            keys.insert()
            .values(
                user_id=user_id,
                title=options.title,
                key=key.text,
                fingerprint=key.sha256,
                usage_type=options.usage_type,
                expires_at=options.expires_at,
                created_at=now(),
            )
            .returning(keys)
        ).one()
