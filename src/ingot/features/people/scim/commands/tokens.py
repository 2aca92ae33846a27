"""The token that a group's identity provider calls with."""

from sqlalchemy import Connection, delete, insert

from ingot.features.people.scim.rows import ScimTokenRow
from ingot.features.people.scim.tables import scim_tokens
from ingot.identity import tokens
from ingot.kit.clock import now
from ingot.kit.db import take_turn
from ingot.kit.errors import NotFound

PREFIX = "glsoat-"


def make_token(tx: Connection, group_id: int) -> tuple[ScimTokenRow, str]:
    """Replace the token; returns its row and its clear-text value."""
    take_turn(tx, f"scim_token:{group_id}")
    clear = tokens.fresh(PREFIX)
    tx.execute(delete(scim_tokens).where(scim_tokens.c.group_id == group_id))
    fresh = insert(scim_tokens).values(group_id=group_id, digest=tokens.digest(clear), created_at=now())
    return tx.execute(fresh.returning(*scim_tokens.c)).one(), clear


def revoke_token(tx: Connection, group_id: int) -> None:
    """Revoke the token; the identities stay."""
    if not tx.execute(delete(scim_tokens).where(scim_tokens.c.group_id == group_id)).rowcount:
        raise NotFound("SCIM Token")
