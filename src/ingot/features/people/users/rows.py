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
