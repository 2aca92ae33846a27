"""Rows as typed records."""

from datetime import datetime
from typing import Protocol


class DeployTokenRow(Protocol):
    """A row of `deploy_tokens`."""

    id: int
    project_id: int | None
    group_id: int | None
    name: str
    username: str | None
    sealed_token: str
    scopes: list[str]
    expires_at: datetime | None
    revoked: bool
    created_at: datetime
