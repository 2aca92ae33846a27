"""Rows as typed records."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol


class IntegrationRow(Protocol):
    """An integration: a row of `integrations` or `group_integrations`."""

    id: int
    slug: str
    active: bool
    events: Mapping[str, bool]
    properties: Mapping[str, str | bool | list[str] | None]
    sealed_secrets: str | None
    created_at: datetime
    updated_at: datetime


class EffectiveRow(IntegrationRow, Protocol):
    """An integration that is in effect in a place: its own, or the one of the nearest group above."""

    level: int  # 0 = its own


class IntegrationMessageRow(Protocol):
    """A row of `integration_messages` or `group_integration_messages`, with its project."""

    id: int
    integration_id: int
    project_id: int
    flag: str
    mark: str
    payload: str
    late_parts: Sequence[Mapping[str, object]]
