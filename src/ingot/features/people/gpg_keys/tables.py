"""GPG keys of users with their subkeys."""

from sqlalchemy import Column, ForeignKey, String, Table, Text

from ingot.kit.db import Id, Json, UtcDateTime, metadata

gpg_keys = Table(
    "gpg_keys",
    metadata,
    Column("id", Id, primary_key=True),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("key", Text, nullable=False),
    Column("fingerprint", String(64), nullable=False, unique=True),  # hex in upper case
    Column("primary_keyid", String(16), nullable=False, index=True),
    Column("users", Json, nullable=False),  # pairs of name and address
    Column("created_at", UtcDateTime, nullable=False),
    # A revoked key is not shown any more; the row tells that its signatures are not to be trusted.
    Column("revoked_at", UtcDateTime, nullable=True),
    sqlite_autoincrement=True,
)

gpg_key_subkeys = Table(
    "gpg_key_subkeys",
    metadata,
    Column("id", Id, primary_key=True),
    Column("gpg_key_id", Id, ForeignKey("gpg_keys.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("fingerprint", String(64), nullable=False),
    Column("keyid", String(16), nullable=False, index=True),
    sqlite_autoincrement=True,
)

# What was found when somebody last looked at a signature: it outlives a key that is deleted.
judged_signatures = Table(
    "judged_signatures",
    metadata,
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("object_id", String(64), primary_key=True),  # of the commit or tag
    Column("gpg_key_id", Id, ForeignKey("gpg_keys.id", ondelete="SET NULL"), nullable=True, index=True),
    Column("status", String(32), nullable=False),
    Column("primary_keyid", String(16), nullable=False),
    Column("user_name", Text, nullable=True),
    Column("user_email", Text, nullable=True),
)
