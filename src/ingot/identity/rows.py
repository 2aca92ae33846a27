"""Rows of people and their credentials as typed records."""

from datetime import date, datetime
from typing import Any, Protocol


class PersonalAccessTokenRow(Protocol):
    """What may be read of a row of `personal_access_tokens`."""

    id: int
    user_id: int
    name: str
    description: str | None
    digest: str
    scopes: Any
    impersonation: bool
    revoked: bool
    expires_at: date | None
    last_used_at: datetime | None
    family_id: int | None
    created_at: datetime
    updated_at: datetime


class UserRow(Protocol):
    """What may be read of a row of `users`."""

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
