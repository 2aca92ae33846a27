"""What happened in all projects of a group, for its page; the API has no such list."""

from ingot.access.call import Call
from ingot.access.visibility import visible_projects_below
from ingot.features.people.event_log import events
from ingot.features.review.events import queries
from ingot.features.review.events.entities import Event, present
from ingot.features.review.events.params import ListEvents
from ingot.kit.params import Params


def events_of_group(call: Call[Params], group_id: int, before: int | None, most: int) -> list[Event]:
    """The newest that the caller may see, of those before an event; of the group's projects and of all below."""
    inside = events.c.project_id.in_(visible_projects_below(call.actor, group_id))
    query = queries.listed(call.actor, ListEvents.parse({})).where(inside)
    if before is not None:
        query = query.where(events.c.id < before)
    return present(call, call.conn.execute(query.limit(most)).all())
