"""What follows when somebody's role changes."""

from ingot.access.events import MembersChanged
from ingot.features.members.releasing import has_something_to_lose
from ingot.kit.events import listen
from ingot.kit.jobs import enqueue
from ingot.kit.services import Services


@listen(MembersChanged, order=60)
def look_at_assignments(services: Services, event: MembersChanged) -> None:
    """Soon, and not while whoever changed it waits: what they were assigned to may be out of their sight now."""
    with services.db.read() as conn:
        if not has_something_to_lose(conn, event.user_id):
            return
    with services.db.write() as tx:
        args = {"user_id": event.user_id}
        enqueue(tx, "members.release", args=args, key=f"members.release-{event.user_id}", rerun=True)
