"""People and their credentials."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
    func,
    literal_column,
)

from ingot.identity.departures import GOES_TO_GHOST
from ingot.kit.db import Id, Json, UtcDateTime, metadata
from ingot.kit.settled_data import settled_table

# Ordered and searched by code points in lower case, the same on both databases.
_BYTE_ORDER = String(255).with_variant(String(255, collation="C"), "postgresql")

users = Table(
    "users",
    metadata,
    Column("id", Id, primary_key=True),
    Column("username", String(255), nullable=False),
    Column("username_lower", _BYTE_ORDER, nullable=False, unique=True),
    Column("name", String(255), nullable=False),
    Column("name_lower", _BYTE_ORDER, nullable=False),
    Column("email", String(255), nullable=False),
    Column("email_lower", String(255), nullable=False, unique=True),
    Column("state", String(32), nullable=False, server_default="active"),
    Column("kind", String(32), nullable=False, server_default="human"),  # human | project_bot | service_account | ghost
    Column("is_admin", Boolean, nullable=False, server_default="0"),
    Column("is_external", Boolean, nullable=False, server_default="0"),
    Column("password_hash", Text, nullable=True),
    Column("can_create_group", Boolean, nullable=False, server_default="1"),
    Column("projects_limit", Integer, nullable=False, server_default="100000"),
    Column("private_profile", Boolean, nullable=False, server_default="0"),
    Column("public_email", String(255), nullable=True),
    Column("commit_email", String(255), nullable=True),
    Column("avatar", String(255), nullable=True),  # key in the object store
    Column("note", Text, nullable=True),
    # Free texts that are shown and never searched: bio, location, organization, job_title, pronouns, website_url, …
    Column("profile", Json, nullable=False),
    Column("created_by_id", Id, nullable=True, info=GOES_TO_GHOST),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    Column("confirmed_at", UtcDateTime, nullable=True),
    Column("current_sign_in_at", UtcDateTime, nullable=True),
    Column("last_sign_in_at", UtcDateTime, nullable=True),
    Column("current_sign_in_ip", String(64), nullable=True),
    Column("last_sign_in_ip", String(64), nullable=True),
    Column("sign_in_count", Integer, nullable=False, server_default="0"),
    Column("last_activity_on", Date, nullable=True),
    Column("password_expires_at", UtcDateTime, nullable=True),
    # When the user was first asked for a second factor that they must have.
    Column("otp_grace_period_started_at", UtcDateTime, nullable=True),
    # Failed sign-ins since the last good one, and until when they lock the account.
    Column("failed_attempts", Integer, nullable=False, server_default="0"),
    Column("locked_until", UtcDateTime, nullable=True),
    sqlite_autoincrement=True,
)
Index("ix_users_name_lower_id", users.c.name_lower, users.c.id)

# Users for programs; those of a group can be members only within it. The row goes with the group, and then the user.
service_accounts = Table(
    "service_accounts",
    metadata,
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("group_id", Id, ForeignKey("namespaces.id", ondelete="CASCADE"), nullable=True, index=True),
)

personal_access_tokens = Table(
    "personal_access_tokens",
    metadata,
    Column("id", Id, primary_key=True),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("name", String(255), nullable=False),
    Column("description", String(255), nullable=True),
    Column("digest", String(64), nullable=False, unique=True),  # SHA-256, hex
    Column("scopes", Json, nullable=False),
    Column("impersonation", Boolean, nullable=False, server_default="0"),
    Column("revoked", Boolean, nullable=False, server_default="0"),
    Column("expires_at", Date, nullable=True),
    Column("last_used_at", UtcDateTime, nullable=True),
    Column("family_id", Id, nullable=True, index=True),  # the first token of a chain of rotations
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)

identities = Table(
    "identities",
    metadata,
    Column("id", Id, primary_key=True),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("provider", String(255), nullable=False),
    Column("extern_uid", String(255), nullable=False),
    Column("extern_uid_lower", String(255), nullable=False),
    # Set for identities of a group's own provider, and gone with it.
    Column("saml_provider_id", Id, ForeignKey("saml_providers.id", ondelete="CASCADE"), nullable=True, index=True),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)
_SCOPE = func.coalesce(identities.c.saml_provider_id, literal_column("0"))
Index("uq_identities_uid", identities.c.provider, identities.c.extern_uid_lower, _SCOPE, unique=True)
Index("uq_identities_user", identities.c.user_id, identities.c.provider, _SCOPE, unique=True)

# Users managed by a group's identity provider through SCIM; deleted with the provider, like its SAML identities.
scim_identities = Table(
    "scim_identities",
    metadata,
    Column("id", Id, primary_key=True),
    Column("group_id", Id, ForeignKey("saml_providers.group_id", ondelete="CASCADE"), nullable=False),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("extern_uid", String(255), nullable=False),
    Column("extern_uid_lower", String(255), nullable=False),
    Column("active", Boolean, nullable=False),  # false: the provider removed the user from the group
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    UniqueConstraint("group_id", "extern_uid_lower"),
    UniqueConstraint("group_id", "user_id"),
    sqlite_autoincrement=True,
)

sessions = Table(
    "sessions",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("csrf", String(64), nullable=False),
    Column("details", Json, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("expires_at", UtcDateTime, nullable=False),
)

second_factors = Table(
    "second_factors",
    metadata,
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("secret", Text, nullable=False),  # sealed
    Column("last_step", BigInteger, nullable=False),  # codes of this step of time and of earlier ones are used up
    Column("created_at", UtcDateTime, nullable=False),
)

recovery_codes = Table(
    "recovery_codes",
    metadata,
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("digest", String(64), primary_key=True),
)

# Keys that sign in a browser (WebAuthn): what the authenticator said when it was registered.
webauthn_registrations = Table(
    "webauthn_registrations",
    metadata,
    Column("id", Id, primary_key=True),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("name", String(255), nullable=False),
    Column("credential_id", String(1400), nullable=False, unique=True),  # URL-safe base 64
    Column("public_key", Text, nullable=False),  # URL-safe base 64 of a COSE key
    Column("counter", BigInteger, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)

# What is shown of people beside their work, what they may and what they prefer; not when they were last here.
settled_table(
    users, "username", "public_email", "name", "state", "kind", "avatar", "email", "email_lower", "locked_until",
    "profile", "private_profile", "created_at", "is_admin", "is_external", "password_expires_at",
)  # fmt: skip
# All but the last use.
settled_table(
    personal_access_tokens, "user_id", "digest", "scopes", "impersonation", "revoked", "family_id", "expires_at"
)
