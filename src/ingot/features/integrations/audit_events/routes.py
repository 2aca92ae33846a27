"""Endpoints of audit events."""

from ingot.access.call import Call
from ingot.access.policy import ADMINISTRATOR
from ingot.features.integrations.audit_events import queries
from ingot.features.integrations.audit_events.entities import AuditEvent, present
from ingot.features.integrations.audit_events.params import (
    AuditEventPath,
    InstanceAuditEventPath,
    ListAuditEvents,
    ListInstanceAuditEvents,
)
from ingot.features.integrations.audit_events.policy import READ_GROUP_EVENTS, READ_PROJECT_EVENTS
from ingot.kit.endpoint import Answer, Routes

routes = Routes("Audit events", tier="premium")
PROJECT, GROUP = "/projects/{id}/audit_events", "/groups/{id}/audit_events"
ONE = "/{audit_event_id}"


@routes.get("/audit_events", guard=ADMINISTRATOR, params=ListInstanceAuditEvents, returns=list[AuditEvent])
def list_audit_events(call: Call[ListInstanceAuditEvents]) -> Answer:
    """Changes of rights and settings everywhere, newest first (administrators)."""
    return call.page(queries.of_instance(call.params), present, keyset=queries.NEWEST_FIRST)


@routes.get("/audit_events/{id:int}", guard=ADMINISTRATOR, params=InstanceAuditEventPath, returns=AuditEvent)
def get_audit_event(call: Call[InstanceAuditEventPath]) -> Answer:
    """One audit event (administrators)."""
    return present(call, [queries.get(call, call.params.id)])[0]


@routes.get(GROUP, guard=READ_GROUP_EVENTS, params=ListAuditEvents, returns=list[AuditEvent])
def list_group_audit_events(call: Call[ListAuditEvents]) -> Answer:
    """Changes of a group's rights and settings (Owners); Developers see what they did themselves."""
    return call.page(queries.listed(call.params, queries.of_place(call)), present, keyset=queries.NEWEST_FIRST)


@routes.get(GROUP + ONE, guard=READ_GROUP_EVENTS, params=AuditEventPath, returns=AuditEvent)
def get_group_audit_event(call: Call[AuditEventPath]) -> Answer:
    """One audit event of a group."""
    return present(call, [queries.get(call, call.params.audit_event_id, queries.of_place(call))])[0]


@routes.get(PROJECT, guard=READ_PROJECT_EVENTS, params=ListAuditEvents, returns=list[AuditEvent])
def list_project_audit_events(call: Call[ListAuditEvents]) -> Answer:
    """Changes of a project's rights and settings (Maintainers); Developers see what they did themselves."""
    return call.page(queries.listed(call.params, queries.of_place(call)), present, keyset=queries.NEWEST_FIRST)


@routes.get(PROJECT + ONE, guard=READ_PROJECT_EVENTS, params=AuditEventPath, returns=AuditEvent)
def get_project_audit_event(call: Call[AuditEventPath]) -> Answer:
    """One audit event of a project."""
    return present(call, [queries.get(call, call.params.audit_event_id, queries.of_place(call))])[0]
