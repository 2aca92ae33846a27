"""Applications of the OAuth 2 provider, what people granted them, and the keys that sign identity tokens."""

from sqlalchemy import Boolean, Column, ForeignKey, Integer, String, Table, Text

from ingot.kit.db import Id, Json, UtcDateTime, metadata

# Without an owner: an application of the instance.
oauth_applications = Table(
    "oauth_applications",
    metadata,
    Column("id", Id, primary_key=True),
    Column("uid", String(64), nullable=False, unique=True),
    Column("name", String(255), nullable=False),
    Column("secret_digest", String(64), nullable=False),
    Column("redirect_uri", Text, nullable=False),  # one on each line
    Column("scopes", Json, nullable=False),
    Column("confidential", Boolean, nullable=False),
    Column("trusted", Boolean, nullable=False, server_default="0"),  # people are not asked for consent
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=True, index=True),
    Column("group_id", Id, ForeignKey("namespaces.id", ondelete="CASCADE"), nullable=True, index=True),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)

oauth_access_tokens = Table(
    "oauth_access_tokens",
    metadata,
    Column("id", Id, primary_key=True),
    # Without an application: the password grant of a client that has none.
    Column("application_id", Id, ForeignKey("oauth_applications.id", ondelete="CASCADE"), nullable=True, index=True),
    # Without a user: the client credentials grant.
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=True, index=True),
    Column("digest", String(64), nullable=False, unique=True),  # SHA-256, hex
    Column("refresh_digest", String(64), nullable=True, unique=True),
    Column("scopes", Json, nullable=False),
    Column("family", String(64), nullable=False, index=True),  # all tokens that follow from one consent
    # The pair that this one replaces; it is revoked when this one is used for the first time.
    Column("previous_id", Id, nullable=True, index=True),
    Column("created_at", UtcDateTime, nullable=False),
    Column("expires_at", UtcDateTime, nullable=False, index=True),
    Column("revoked_at", UtcDateTime, nullable=True),
    sqlite_autoincrement=True,
)

oauth_grants = Table(
    "oauth_grants",
    metadata,
    Column("id", Id, primary_key=True),
    Column("application_id", Id, ForeignKey("oauth_applications.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("digest", String(64), nullable=False, unique=True),
    Column("redirect_uri", Text, nullable=False),
    Column("scopes", Json, nullable=False),
    Column("code_challenge", String(128), nullable=True),
    Column("code_challenge_method", String(8), nullable=True),
    Column("nonce", Text, nullable=True),
    Column("signed_in_at", UtcDateTime, nullable=False),
    Column("family", String(64), nullable=False),
    Column("expires_at", UtcDateTime, nullable=False, index=True),
    Column("used_at", UtcDateTime, nullable=True),
    sqlite_autoincrement=True,
)

oauth_device_grants = Table(
    "oauth_device_grants",
    metadata,
    Column("id", Id, primary_key=True),
    Column("application_id", Id, ForeignKey("oauth_applications.id", ondelete="CASCADE"), nullable=False, index=True),
    # Set when somebody answered.
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=True, index=True),
    Column("digest", String(64), nullable=False, unique=True),
    Column("user_code", String(16), nullable=False, unique=True),
    Column("scopes", Json, nullable=False),
    Column("state", String(8), nullable=False),  # pending | allowed | denied
    Column("interval", Integer, nullable=False),
    Column("polled_at", UtcDateTime, nullable=True),
    Column("signed_in_at", UtcDateTime, nullable=True),
    Column("expires_at", UtcDateTime, nullable=False, index=True),
    sqlite_autoincrement=True,
)

signing_keys = Table(
    "signing_keys",
    metadata,
    Column("kid", String(64), primary_key=True),
    Column("private_key", Text, nullable=False),  # PEM, sealed
    Column("public_key", Json, nullable=False),  # as the key set shows it
    Column("created_at", UtcDateTime, nullable=False, index=True),
)
