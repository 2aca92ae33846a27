"""The two parties of a sign-in, and the verified statement about the user."""

from datetime import datetime

import msgspec


class ServiceProvider(msgspec.Struct, frozen=True):
    """The service provider: this server, on behalf of one group."""

    entity_id: str
    consumer_url: str


class IdentityProvider(msgspec.Struct, frozen=True):
    """The identity provider. Trusted by its pinned certificate, or by the fingerprint of the sent certificate."""

    sso_url: str
    certificate: str | None = None
    fingerprint: str | None = None
    entity_id: str | None = None


class SignIn(msgspec.Struct, frozen=True):
    """What the signed part of an accepted response says."""

    assertion_id: str
    name_id: str
    in_response_to: str | None
    issuer: str
    not_on_or_after: datetime
    session_not_on_or_after: datetime | None
    email: str | None
    username: str | None
    name: str | None
    groups: tuple[str, ...]
    attributes: dict[str, tuple[str, ...]]
