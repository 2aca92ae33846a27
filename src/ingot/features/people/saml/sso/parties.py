"""The two sides of a sign-in, and what a checked response says about the person."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class ServiceProvider:
    """Us, as one group shows itself to its identity provider."""

    entity_id: str
    consumer_url: str


@dataclass(frozen=True)
class IdentityProvider:
    """The other side. Trust is the pinned certificate, or the fingerprint that the sent certificate must have."""

    sso_url: str
    certificate: str | None = None
    fingerprint: str | None = None
    entity_id: str | None = None


@dataclass(frozen=True)
class SignIn:
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
