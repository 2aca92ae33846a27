"""Background work of the log: deletes old events."""

from datetime import timedelta

from sqlalchemy import delete, select

from ingot.features.people.event_log.tables import events
from ingot.kit.clock import now
from ingot.kit.jobs import Run, periodic

RETENTION = timedelta(days=3 * 365)
BATCH = 1000


@periodic("forget_events", every=86400)
def forget_events(run: Run) -> None:
    """Delete events older than three years, in small transactions; imported events are kept."""
    old = (events.c.created_at < now() - RETENTION, events.c.imported_from == "none")
    due = select(events.c.id).where(*old).order_by(events.c.id).limit(BATCH)
    removed = BATCH
    while removed == BATCH:
        run.check()
        with run.db.write() as tx:
            removed = tx.execute(delete(events).where(events.c.id.in_(due))).rowcount
