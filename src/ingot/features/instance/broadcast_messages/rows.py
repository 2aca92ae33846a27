"""Rows as typed records."""

from datetime import datetime
from typing import Protocol


class MessageRow(Protocol):
    """A row of `broadcast_messages`."""

    id: int
    message: str
    starts_at: datetime
    ends_at: datetime
    color: str
    font: str
    target_access_levels: list[int]
    target_path: str | None
    broadcast_type: str
    theme: str
    dismissable: bool
    updated_at: datetime
