"""Rows of the provider as typed records."""

from datetime import datetime
from typing import Protocol


class ApplicationRow(Protocol):
    """A row of `oauth_applications`."""

    id: int
    uid: str
    name: str
    secret_digest: str
    redirect_uri: str
    scopes: list[str]
    confidential: bool
    trusted: bool
    user_id: int | None
    group_id: int | None
    created_at: datetime
    updated_at: datetime


class TokenRow(Protocol):
    """A row of `oauth_access_tokens`."""

    id: int
    application_id: int | None
    user_id: int | None
    digest: str
    refresh_digest: str | None
    scopes: list[str]
    family: str
    previous_id: int | None
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None


class GrantRow(Protocol):
    """A row of `oauth_grants`."""

    id: int
    application_id: int
    user_id: int
    digest: str
    redirect_uri: str
    scopes: list[str]
    code_challenge: str | None
    code_challenge_method: str | None
    nonce: str | None
    signed_in_at: datetime
    family: str
    expires_at: datetime
    used_at: datetime | None


class DeviceGrantRow(Protocol):
    """A row of `oauth_device_grants`."""

    id: int
    application_id: int
    user_id: int | None
    digest: str
    user_code: str
    scopes: list[str]
    state: str
    interval: int
    polled_at: datetime | None
    signed_in_at: datetime | None
    expires_at: datetime


class AuthorizedRow(Protocol):
    """An application that a user let in."""

    id: int
    name: str
    scopes: list[str]
    created_at: datetime
