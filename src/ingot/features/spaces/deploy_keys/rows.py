"""Rows as typed records."""

from datetime import datetime
from typing import Protocol


class DeployKeyRow(Protocol):
    """A row of `deploy_keys`."""

    id: int
    user_id: int | None
    title: str
    key: str
    fingerprint: str
    is_public: bool
    expires_at: datetime | None
    last_used_at: datetime | None
    created_at: datetime


class ProjectKeyRow(DeployKeyRow, Protocol):
    """A deploy key with what it may do in one project."""

    can_push: bool
