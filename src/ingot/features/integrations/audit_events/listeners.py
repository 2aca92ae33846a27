"""Changes of rights and settings become audit events, in the same transaction."""

from sqlalchemy import Connection

from ingot.features.integrations.audit_events.recording import write
from ingot.features.integrations.audit_events.rules import RULES
from ingot.kit.changes import Change, follows


@follows(*RULES)
def record(tx: Connection, change: Change) -> None:
    """Store what the change means for the audit."""
    write(tx, RULES[change.kind](tx, change))
