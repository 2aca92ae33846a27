"""Providers, identities and group links as they go over the wire."""

from datetime import datetime
from urllib.parse import quote

from ingot.features.people.saml.rows import SamlGroupLinkRow, SamlProviderRow
from ingot.features.people.saml.sso import ServiceProvider
from ingot.identity.rows import IdentityRow
from ingot.kit.entity import UNSET, Entity, UnsetType, wire
from ingot.settings import Settings


class SamlIdentity(Entity):
    """A person's name at the group's identity provider."""

    extern_uid: str
    user_id: int


class SamlGroupLink(Entity):
    """A group at the identity provider and the role that its people get."""

    name: str
    access_level: int
    provider: str | None
    member_role_id: int | UnsetType | None = UNSET


class SamlProvider(Entity):
    """A group's SAML configuration, and the addresses to enter at its identity provider."""

    enabled: bool
    sso_url: str
    certificate: str | None
    certificate_fingerprint: str | None
    idp_entity_id: str | None
    default_membership_role: int
    enforced_sso: bool
    issuer: str
    assertion_consumer_service_url: str
    metadata_url: str
    sign_in_url: str
    created_at: datetime
    updated_at: datetime


def identity(row: IdentityRow) -> SamlIdentity:
    """From a row of `identities`."""
    return SamlIdentity(extern_uid=row.extern_uid, user_id=row.user_id)


def group_link(row: SamlGroupLinkRow, *, custom_roles: bool) -> SamlGroupLink:
    """From a row of `saml_group_links`; the role's key is there only where custom roles are."""
    return SamlGroupLink(
        name=row.saml_group_name,
        access_level=row.access_level,
        provider=row.provider or None,
        member_role_id=row.member_role_id if custom_roles else UNSET,
    )


def service_provider(row: SamlProviderRow, full_path: str, settings: Settings) -> ServiceProvider:
    """The group as its identity provider knows it: at the server's fixed address, or where it was configured."""
    return service_provider_at(settings.base_url.rstrip("/") or row.base_url, full_path)


def service_provider_at(base_url: str, full_path: str) -> ServiceProvider:
    """The same, also where no identity provider is configured yet."""
    group_url = f"{base_url}/groups/{quote(full_path)}"
    return ServiceProvider(entity_id=group_url, consumer_url=f"{group_url}/-/saml/callback")


def provider(row: SamlProviderRow, full_path: str, settings: Settings) -> SamlProvider:
    """From a row of `saml_providers`."""
    sp = service_provider(row, full_path, settings)
    return SamlProvider(
        enabled=row.enabled,
        sso_url=row.sso_url,
        certificate=row.certificate,
        certificate_fingerprint=row.certificate_fingerprint,
        idp_entity_id=row.idp_entity_id,
        default_membership_role=row.default_membership_role,
        enforced_sso=row.enforced_sso,
        issuer=sp.entity_id,
        assertion_consumer_service_url=sp.consumer_url,
        metadata_url=f"{sp.entity_id}/-/saml/metadata",
        sign_in_url=f"{sp.entity_id}/-/saml/sso",
        created_at=wire(row.created_at),
        updated_at=wire(row.updated_at),
    )
