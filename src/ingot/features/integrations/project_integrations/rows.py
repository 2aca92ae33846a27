"""Rows as typed records."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol


class IntegrationRow(Protocol):
    """A row of `integrations`."""

    id: int
    project_id: int
    slug: str
    active: bool
    events: Mapping[str, bool]
    properties: Mapping[str, str | bool | list[str] | None]
    sealed_secrets: str | None
    created_at: datetime
    updated_at: datetime


class IntegrationMessageRow(Protocol):
    """A row of `integration_messages`."""

    id: int
    integration_id: int
    flag: str
    mark: str
    payload: str
    late_parts: Sequence[Mapping[str, object]]
