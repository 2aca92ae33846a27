"""Reading audit events."""

from typing import Any

from sqlalchemy import ColumnElement, Select, and_, select

from ingot.access.call import Call
from ingot.features.integrations.audit_events.params import ListAuditEvents, ListInstanceAuditEvents
from ingot.features.integrations.audit_events.policy import READ_ALL_GROUP_EVENTS, READ_ALL_PROJECT_EVENTS
from ingot.features.integrations.audit_events.rows import AuditEventRow
from ingot.features.integrations.audit_events.tables import audit_events
from ingot.kit.clock import through
from ingot.kit.errors import ParamError, RecordNotFound
from ingot.kit.pagination import Keyset

NEWEST_FIRST = Keyset(audit_events.c.id, descending=True)


def of_place(call: Call) -> ColumnElement[bool]:
    """Condition: of the call's project or group, as far as the caller may read them."""
    if call.project_or_none is not None:
        word, number = "Project", call.project.id
        reads_all = READ_ALL_PROJECT_EVENTS.allows(call.actor, call.project)
    else:
        word, number = "Group", call.group.id
        reads_all = READ_ALL_GROUP_EVENTS.allows(call.actor, call.group)
    here = and_(audit_events.c.entity_type == word, audit_events.c.entity_id == number)
    return here if reads_all else and_(here, audit_events.c.author_id == call.actor.id)


def listed(options: ListAuditEvents, *conditions: ColumnElement[bool]) -> Select[Any]:
    """Events that meet the conditions and filters, newest first."""
    query = select(audit_events).where(*conditions)
    if options.created_after is not None:
        query = query.where(audit_events.c.created_at >= options.created_after)
    if options.created_before is not None:
        query = query.where(audit_events.c.created_at <= through(options.created_before))
    if options.author_id is not None:
        query = query.where(audit_events.c.author_id == options.author_id)
    return query.order_by(audit_events.c.id.desc())


def of_instance(options: ListInstanceAuditEvents) -> Select[Any]:
    """All events, or those of one kind of place or of one place."""
    conditions: list[ColumnElement[bool]] = []
    if options.entity_type is not None:
        conditions.append(audit_events.c.entity_type == options.entity_type)
    if options.entity_id is not None:
        if options.entity_type is None:
            raise ParamError("entity_type is missing")
        conditions.append(audit_events.c.entity_id == options.entity_id)
    return listed(options, *conditions)


def get(call: Call, event_id: int, *conditions: ColumnElement[bool]) -> AuditEventRow:
    """One event that meets the conditions."""
    row = call.conn.execute(select(audit_events).where(audit_events.c.id == event_id, *conditions)).one_or_none()
    if row is None:
        raise RecordNotFound
    return row
