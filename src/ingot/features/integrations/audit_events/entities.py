"""Audit events on the wire."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from ingot.access.call import Call
from ingot.features.integrations.audit_events.rows import AuditEventRow
from ingot.kit.entity import Entity, wire


class AuditEvent(Entity):
    """Somebody changed a right or a setting."""

    id: int
    author_id: int
    entity_id: int
    entity_type: str
    event_name: str
    details: dict[str, Any]
    created_at: datetime


def present(_: Call, rows: Sequence[AuditEventRow]) -> list[AuditEvent]:
    """A page of audit events."""
    return [
        AuditEvent(
            id=row.id,
            author_id=row.author_id,
            entity_id=row.entity_id,
            entity_type=row.entity_type,
            event_name=row.event_name,
            details=row.details,
            created_at=wire(row.created_at),
        )
        for row in rows
    ]
