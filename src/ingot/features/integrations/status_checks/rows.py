"""Rows as typed records."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol


class CheckRow(Protocol):
    """A row of `external_status_checks`."""

    id: int
    project_id: int
    name: str
    external_url: str
    sealed_secret: str | None
    created_at: datetime
    updated_at: datetime


class CheckMessageRow(Protocol):
    """A row of `status_check_messages`."""

    id: int
    check_id: int
    mark: str
    payload: str
    late_parts: Sequence[Mapping[str, object]]
