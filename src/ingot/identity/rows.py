"""Rows of people and their credentials as typed records."""

from datetime import date, datetime
from typing import Any, Protocol


class PersonalAccessTokenRow(Protocol):
    """A row of `personal_access_tokens`."""

    id: int
    user_id: int
    name: str
    description: str | None
    digest: str
    scopes: list[str]
    impersonation: bool
    revoked: bool
    expires_at: date | None
    last_used_at: datetime | None
    family_id: int | None
    created_at: datetime
    updated_at: datetime


class TokenHolderRow(Protocol):
    """A token and its user, as the look-up of a credential finds them."""

    token_id: int
    scopes: list[str]
    impersonation: bool
    revoked: bool
    family_id: int | None
    expires_at: date | None
    last_used_at: datetime | None
    user_id: int
    username: str
    name: str
    email: str
    state: str
    kind: str
    is_admin: bool
    is_external: bool
    password_expires_at: datetime | None


class AccountStateRow(Protocol):
    """The columns that decide whether a user may sign in."""

    state: str
    kind: str
    password_expires_at: datetime | None


class ActorRow(Protocol):
    """The columns of an actor."""

    id: int
    username: str
    name: str
    email: str
    is_admin: bool
    is_external: bool


class IdentityRow(Protocol):
    """A row of `identities`."""

    id: int
    user_id: int
    provider: str
    extern_uid: str
    extern_uid_lower: str
    saml_provider_id: int | None
    created_at: datetime
    updated_at: datetime


class ScimIdentityRow(Protocol):
    """A row of `scim_identities`."""

    id: int
    group_id: int
    user_id: int
    extern_uid: str
    extern_uid_lower: str
    active: bool
    created_at: datetime
    updated_at: datetime


class SecurityKeyRow(Protocol):
    """A row of `webauthn_registrations`."""

    id: int
    user_id: int
    name: str
    credential_id: str
    public_key: str
    counter: int
    created_at: datetime


class PictureRow(Protocol):
    """The columns of an avatar."""

    id: int
    avatar: str | None
    email_lower: str


class BasicUserRow(PictureRow, Protocol):
    """The public columns of a user."""

    username: str
    public_email: str | None
    name: str
    state: str
    locked_until: datetime | None


class UserRow(Protocol):
    """A row of `users`."""

    id: int
    username: str
    username_lower: str
    name: str
    name_lower: str
    email: str
    email_lower: str
    state: str
    kind: str
    is_admin: bool
    is_external: bool
    password_hash: str | None
    can_create_group: bool
    projects_limit: int
    private_profile: bool
    public_email: str | None
    commit_email: str | None
    avatar: str | None
    note: str | None
    profile: Any
    created_by_id: int | None
    created_at: datetime
    updated_at: datetime
    confirmed_at: datetime | None
    current_sign_in_at: datetime | None
    last_sign_in_at: datetime | None
    current_sign_in_ip: str | None
    last_sign_in_ip: str | None
    sign_in_count: int
    last_activity_on: date | None
    password_expires_at: datetime | None
    otp_grace_period_started_at: datetime | None
    failed_attempts: int
    locked_until: datetime | None


class StoredSessionRow(Protocol):
    """A row of `sessions`."""

    digest: str
    details: dict[str, Any]
    created_at: datetime
    expires_at: datetime


class SessionRow(UserRow, Protocol):
    """A person with the browser session that they came in by."""

    csrf: str
    details: dict[str, Any]
    session_expires_at: datetime
    session_created_at: datetime  # when the person signed in
