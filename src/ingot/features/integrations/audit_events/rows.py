"""Rows as typed records."""

from datetime import datetime
from typing import Protocol


class AuditEventRow(Protocol):
    """A row of `audit_events`."""

    id: int
    author_id: int
    entity_type: str
    entity_id: int
    event_name: str
    details: dict[str, object]
    created_at: datetime
