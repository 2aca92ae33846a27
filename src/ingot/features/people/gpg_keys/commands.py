"""Adding, removing and revoking GPG keys."""

from sqlalchemy import Connection, delete, insert, select, update

from ingot.features.people.gpg_keys.rows import GpgKeyRow
from ingot.features.people.gpg_keys.tables import gpg_key_subkeys as subkeys
from ingot.features.people.gpg_keys.tables import gpg_keys as keys
from ingot.features.people.gpg_keys.verdicts import forget_verdicts
from ingot.kit.clock import now
from ingot.kit.errors import Invalid
from ingot.kit.openpgp import BEGINNING, END, read_public_block

INVALID = f"is invalid. A valid public GPG key begins with '{BEGINNING}' and ends with '{END}'"
TAKEN = "has already been taken"


def add(tx: Connection, user_id: int, text: str) -> GpgKeyRow:
    """Store a key that nobody has."""
    block = read_public_block(text)
    if block is None:
        raise Invalid({"key": [INVALID]})
    same = keys.c.fingerprint == block.primary.fingerprint
    if tx.execute(select(keys.c.id).where(same, keys.c.revoked_at.is_(None))).first() is not None:
        raise Invalid({"fingerprint": [TAKEN], "primary_keyid": [TAKEN]})
    tx.execute(delete(keys).where(same))
    values = {
        "user_id": user_id,
        "key": text.strip(),
        "fingerprint": block.primary.fingerprint,
        "primary_keyid": block.primary.key_id,
        "users": [list(pair) for pair in block.users],
        "created_at": now(),
    }
    row: GpgKeyRow = tx.execute(insert(keys).values(values).returning(keys)).one()
    if block.subkeys:
        named = [
            {"gpg_key_id": row.id, "fingerprint": part.fingerprint, "keyid": part.key_id} for part in block.subkeys
        ]
        tx.execute(insert(subkeys), named)
    return row


def revoke(tx: Connection, row: GpgKeyRow) -> None:
    """Hide the key; its signatures are not verified any more."""
    tx.execute(update(keys).where(keys.c.id == row.id).values(revoked_at=now()))
    forget_verdicts(tx, row.id, row.primary_keyid)
