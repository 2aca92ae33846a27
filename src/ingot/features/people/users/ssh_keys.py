"""Checking and storing SSH public keys."""

import base64
import binascii
import hashlib

from sqlalchemy import select

from ingot.access.call import Call
from ingot.features.people.users.params import AddKey
from ingot.features.people.users.rows import UserKeyRow
from ingot.features.people.users.tables import keys
from ingot.kit.clock import now
from ingot.kit.errors import Invalid

KINDS = (
    "ssh-rsa", "ssh-dss", "ssh-ed25519", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521",
    "sk-ssh-ed25519@openssh.com", "sk-ecdsa-sha2-nistp256@openssh.com",
)  # fmt: skip


def fingerprint(text: str) -> str | None:
    """The SHA-256 of the key's blob, or None where the text is no public key."""
    parts = text.strip().split(None, 2)
    if len(parts) < 2 or parts[0] not in KINDS or "\n" in text.strip():
        return None
    try:
        blob = base64.b64decode(parts[1], validate=True)
    except (binascii.Error, ValueError):
        return None
    # The blob repeats its own kind, with the length in front.
    length = int.from_bytes(blob[:4])
    if blob[4 : 4 + length] != parts[0].encode() or len(blob) <= 4 + length:
        return None
    return base64.b64encode(hashlib.sha256(blob).digest()).decode().rstrip("=")


def add(call: Call, user_id: int, options: AddKey) -> UserKeyRow:
    """Store a key that nobody has yet."""
    text = options.key.strip()
    mark = fingerprint(text)
    if mark is None:
        raise Invalid({"key": ["is invalid"], "fingerprint": ["cannot be generated"]})
    if not options.title.strip():
        raise Invalid({"title": ["can't be blank"]})
    if len(options.title) > 255:
        raise Invalid({"title": ["is too long (maximum is 255 characters)"]})
    with call.write() as tx:
        if tx.execute(select(keys.c.id).where(keys.c.fingerprint == mark)).first() is not None:
            raise Invalid({"fingerprint_sha256": ["has already been taken"]})
        return tx.execute(
            keys.insert()
            .values(
                user_id=user_id,
                title=options.title,
                key=text,
                fingerprint=mark,
                usage_type=options.usage_type,
                expires_at=options.expires_at,
                created_at=now(),
            )
            .returning(keys)
        ).one()
