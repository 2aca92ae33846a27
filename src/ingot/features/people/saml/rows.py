"""Rows as typed records, for passing between functions."""

from datetime import datetime
from typing import Protocol


class SamlGroupLinkRow(Protocol):
    """A row of `saml_group_links`."""

    id: int
    group_id: int
    saml_group_name: str
    provider: str
    access_level: int
    member_role_id: int | None
    created_at: datetime
    updated_at: datetime


class SamlProviderRow(Protocol):
    """A row of `saml_providers`."""

    id: int
    group_id: int
    enabled: bool
    sso_url: str
    certificate: str | None
    certificate_fingerprint: str | None
    idp_entity_id: str | None
    default_membership_role: int
    enforced_sso: bool
    base_url: str
    created_at: datetime
    updated_at: datetime


class GroupIdentityRow(Protocol):
    """Somebody's name at the provider of a group."""

    user_id: int
    extern_uid: str
    provider: str
    saml_provider_id: int


class PendingLinkRow(Protocol):
    """A sign-in that waits for a proof, with the name of its group."""

    digest: str
    saml_provider_id: int
    extern_uid: str
    groups: list[str]
    requested_by_id: int | None
    return_to: str
    session_until: datetime | None
    expires_at: datetime
    group_name: str


class GroupProviderRow(SamlProviderRow, Protocol):
    """A provider with the path and name of its group."""

    full_path: str
    group_name: str
