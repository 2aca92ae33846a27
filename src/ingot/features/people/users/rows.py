"""Rows as typed records, for passing between functions."""

from datetime import datetime
from typing import Protocol


class UserEmailRow(Protocol):
    """A row of `user_emails`."""

    id: int
    user_id: int
    email: str
    email_lower: str
    confirmed_at: datetime | None
    created_at: datetime


class UserKeyRow(Protocol):
    """A row of `user_keys`."""

    id: int
    user_id: int
    title: str
    key: str
    fingerprint: str
    usage_type: str
    expires_at: datetime | None
    created_at: datetime
    last_used_at: datetime | None


class MachineKeyRow(Protocol):
    """A key that belongs to no user."""

    id: int
    user_id: int | None
    title: str
    key: str
    fingerprint: str
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None


class KeyProjectRow(Protocol):
    """A project that such a key opens."""

    id: int
    deploy_key_id: int
    project_id: int
    can_push: bool
    created_at: datetime
