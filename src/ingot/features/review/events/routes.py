"""Endpoints of events."""

from sqlalchemy import false, select

from ingot.access.call import Call
from ingot.access.policy import ANYONE, READ_PROJECT, SIGNED_IN
from ingot.access.tables import project_authorizations
from ingot.features.people.event_log import events
from ingot.features.review.events import policy, queries
from ingot.features.review.events.entities import Event, present
from ingot.features.review.events.params import ListEvents, ListOwnEvents, ListUserEvents
from ingot.identity.authentication import user_by_name_or_id
from ingot.identity.rows import UserRow
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import NotFound

routes = Routes("Events", scopes=("read_user",), returns=list[Event])
of_projects = Routes("Events", returns=list[Event])
ROUTES = [routes, of_projects]


@routes.get("/events", guard=SIGNED_IN, params=ListOwnEvents)
def list_own_events(call: Call[ListOwnEvents]) -> Answer:
    """Events of the caller; with `scope=all`, of the caller's projects."""
    rights = project_authorizations
    own_projects = select(rights.c.project_id).where(rights.c.user_id == call.actor.id)
    own = events.c.project_id.in_(own_projects) if call.params.scope == "all" else events.c.author_id == call.actor.id
    return call.page(queries.listed(call.actor, call.params).where(own), present, keyset=queries.by_id(call.params))


@routes.get("/users/{user_id}/events", guard=ANYONE, params=ListUserEvents)
def list_user_events(call: Call[ListUserEvents]) -> Answer:
    """Events of a user that the caller may see; none if the profile is private."""
    user = _user(call)
    condition = events.c.author_id == user.id if policy.shows_activity(call.actor, user) else false()
    return call.page(
        queries.listed(call.actor, call.params).where(condition), present, keyset=queries.by_id(call.params)
    )


@of_projects.get("/projects/{id}/events", guard=READ_PROJECT, params=ListEvents)
def list_project_events(call: Call[ListEvents]) -> Answer:
    """Events of a project."""
    here = events.c.project_id == call.project.id
    return call.page(queries.listed(call.actor, call.params).where(here), present, keyset=queries.by_id(call.params))


def _user(call: Call[ListUserEvents]) -> UserRow:
    row = user_by_name_or_id(call.conn, call.params.user_id)
    if row is None or not policy.may_see(call.actor, row):
        raise NotFound("User")
    return row
