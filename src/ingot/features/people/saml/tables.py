"""Identity providers of groups, group links, and short-lived state of sign-ins."""

from sqlalchemy import Boolean, Column, ForeignKey, SmallInteger, String, Table, Text, UniqueConstraint

from ingot.kit.db import Id, Json, UtcDateTime, metadata

saml_providers = Table(
    "saml_providers",
    metadata,
    Column("id", Id, primary_key=True),
    Column("group_id", Id, ForeignKey("namespaces.id", ondelete="CASCADE"), nullable=False, unique=True),
    Column("enabled", Boolean, nullable=False),
    Column("sso_url", Text, nullable=False),
    Column("certificate", Text, nullable=True),  # PEM
    Column("certificate_fingerprint", String(95), nullable=True),
    Column("idp_entity_id", Text, nullable=True),
    Column("default_membership_role", SmallInteger, nullable=False),
    Column("enforced_sso", Boolean, nullable=False),
    # The address under which the owner configured it. A request's own Host header is no evidence of who we are.
    Column("base_url", Text, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)

saml_group_links = Table(
    "saml_group_links",
    metadata,
    Column("id", Id, primary_key=True),
    Column("group_id", Id, ForeignKey("namespaces.id", ondelete="CASCADE"), nullable=False),
    Column("saml_group_name", String(255), nullable=False),
    Column("provider", String(255), nullable=False),  # empty: sign-ins through any provider
    Column("access_level", SmallInteger, nullable=False),
    Column("member_role_id", Id, ForeignKey("member_roles.id", ondelete="SET NULL"), nullable=True, index=True),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    UniqueConstraint("group_id", "saml_group_name", "provider"),
    sqlite_autoincrement=True,
)

# Assertions that were accepted and requests that were answered, remembered as long as they could come again.
saml_used_assertions = Table(
    "saml_used_assertions",
    metadata,
    Column("saml_provider_id", Id, ForeignKey("saml_providers.id", ondelete="CASCADE"), primary_key=True),
    Column("digest", String(64), primary_key=True),
    Column("expires_at", UtcDateTime, nullable=False, index=True),
)

# Sign-ins of people whose e-mail address belongs to an account already: they must prove that it is theirs.
saml_pending_links = Table(
    "saml_pending_links",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("saml_provider_id", Id, ForeignKey("saml_providers.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("extern_uid", String(255), nullable=False),
    Column("groups", Json, nullable=False),
    Column("requested_by_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=True),
    Column("return_to", Text, nullable=False),
    Column("session_until", UtcDateTime, nullable=True),
    Column("expires_at", UtcDateTime, nullable=False, index=True),
)
