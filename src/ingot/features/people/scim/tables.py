"""Tokens of identity providers; the identities themselves are in `identity.tables`."""

from sqlalchemy import Column, ForeignKey, String, Table

from ingot.kit.db import Id, UtcDateTime, metadata

# One per group; without the SAML provider there is nothing to provision for.
scim_tokens = Table(
    "scim_tokens",
    metadata,
    Column("group_id", Id, ForeignKey("saml_providers.group_id", ondelete="CASCADE"), primary_key=True),
    Column("digest", String(64), nullable=False, unique=True),  # SHA-256, hex
    Column("created_at", UtcDateTime, nullable=False),
)
