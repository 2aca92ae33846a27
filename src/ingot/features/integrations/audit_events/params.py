"""Parameters of the audit event endpoints."""

from datetime import datetime

from ingot.kit.params import CursorPaging, Param, Params

INSTANCE = "Gitlab::Audit::InstanceScope"
ENTITY_TYPES = ("User", "Group", "Project", INSTANCE)


class ListAuditEvents(CursorPaging):
    """Filters of every list of audit events."""

    created_after: datetime | None = Param("Only events at or after this time.")
    created_before: datetime | None = Param("Only events at or before this time.")
    author_id: int | None = Param("Only what this user did.")


class ListInstanceAuditEvents(ListAuditEvents):
    """Filters of the list of the instance."""

    entity_type: str | None = Param("Only events of this kind of place.", one_of=ENTITY_TYPES)
    entity_id: int | None = Param("Only events of this place; needs `entity_type`.")


class AuditEventPath(Params):
    """One audit event."""

    audit_event_id: int = Param("The event's id.", required=True)


class InstanceAuditEventPath(Params):
    """One audit event of the instance."""

    id: int = Param("The event's id.", required=True)
