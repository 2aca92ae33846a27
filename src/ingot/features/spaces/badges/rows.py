"""Rows as typed records."""

from datetime import datetime
from typing import Protocol


class BadgeRow(Protocol):
    """A badge of a project or group, with its kind."""

    id: int
    kind: str
    name: str | None
    link_url: str
    image_url: str
    updated_at: datetime
