"""Participants, subscriptions and state events of issues."""

from collections.abc import Sequence

from sqlalchemy import insert, select, union, update

from ingot.access.call import Call
from ingot.access.policy import ADMINISTRATOR
from ingot.features.people.users import UserBasic, present_basic, users_by_id
from ingot.features.planning.award_emoji import award_emoji
from ingot.features.planning.issuables import StateEvent
from ingot.features.planning.issues import lookup, policy
from ingot.features.planning.issues.entities import Issue
from ingot.features.planning.issues.kind import ISSUE
from ingot.features.planning.issues.params import ListOfIssue
from ingot.features.planning.issues.params_single import OneIssue
from ingot.features.planning.issues.present import is_subscribed, present_single
from ingot.features.planning.issues.rows import IssueStateEventRow
from ingot.features.planning.issues.tables import issue_assignees, issue_state_events, issue_subscriptions
from ingot.features.planning.notes import notes, readable_notes
from ingot.features.planning.resource_events import find_resource
from ingot.features.planning.todos import mentioned_people
from ingot.features.spaces.user_agents import UserAgentDetail, get_detail
from ingot.identity.tables import users
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import wire
from ingot.kit.errors import NotModified, RecordNotFound
from ingot.kit.pagination import Keyset
from ingot.kit.params import CursorPaging, Param

routes = Routes("Issues", guard=policy.FIND_ISSUE)
PATH = "/projects/{id}/issues/{issue_iid}"


class ListStateEvents(OneIssue, CursorPaging):
    """A page of the events of an issue."""


class OneStateEvent(OneIssue):
    """One event."""

    resource_state_event_id: int = Param("Id of the event.", required=True)


@routes.get(f"{PATH}/participants", params=ListOfIssue, returns=list[UserBasic])
def list_issue_participants(call: Call[ListOfIssue]) -> Answer:
    """Author, assignees, who commented or reacted, and who was named."""
    row = lookup.find_issue(call)
    here = [
        notes.c.noteable_type == "Issue",
        notes.c.noteable_id == row.id,
        ~notes.c.system,
        readable_notes(call.actor, call.project),
    ]
    texts = call.conn.execute(select(notes.c.body).where(*here)).scalars()
    named = mentioned_people(call.conn, row.description, *texts).values()
    reactors = select(award_emoji.c.user_id).where(
        award_emoji.c.awardable_type == "Issue", award_emoji.c.awardable_id == row.id
    )
    people = union(
        select(notes.c.author_id).where(*here),
        select(issue_assignees.c.user_id).where(issue_assignees.c.issue_id == row.id),
        reactors,
    )
    ids = [row.author_id, *named]
    query = select(users).where(users.c.id.in_(ids) | users.c.id.in_(people), users.c.kind != "ghost")
    return call.page(query.order_by(users.c.id != (row.author_id or 0), users.c.id), present_basic)


def _subscribe(call: Call[OneIssue], *, subscribed: bool) -> Issue:
    row = lookup.find_issue(call)
    table = issue_subscriptions
    assignees = call.conn.execute(
        select(issue_assignees.c.user_id).where(issue_assignees.c.issue_id == row.id)
    ).scalars()
    if is_subscribed(call, row, list(assignees)) == subscribed:
        raise NotModified
    own_row = (table.c.issue_id == row.id) & (table.c.user_id == call.actor.id)
    with call.write() as tx:
        if not tx.execute(update(table).where(own_row).values(subscribed=subscribed)).rowcount:
            tx.execute(insert(table).values(issue_id=row.id, user_id=call.actor.id, subscribed=subscribed))
    return present_single(call, row)


@routes.post(f"{PATH}/subscribe", params=OneIssue, returns=Issue, errors=(304,))
def subscribe_to_issue(call: Call[OneIssue]) -> Answer:
    """Subscribe to an issue."""
    return _subscribe(call, subscribed=True)


@routes.post(f"{PATH}/unsubscribe", params=OneIssue, returns=Issue, errors=(304,))
def unsubscribe_from_issue(call: Call[OneIssue]) -> Answer:
    """Unsubscribe."""
    return _subscribe(call, subscribed=False)


def _present_events(call: Call, rows: Sequence[IssueStateEventRow]) -> list[StateEvent]:
    people = users_by_id(call.conn, (row.user_id for row in rows), call.base_url)
    return [
        StateEvent(
            id=row.id,
            user=people.get(row.user_id or 0),
            created_at=wire(row.created_at),
            resource_type="Issue",
            resource_id=row.issue_id,
            state=row.state,
        )
        for row in rows
    ]


@routes.get(
    f"{PATH}/resource_state_events", guard=policy.FIND_ISSUE_SIGNED_IN, params=ListStateEvents, returns=list[StateEvent]
)
def list_issue_state_events(call: Call[ListStateEvents]) -> Answer:
    """State events of an issue."""
    row, table = find_resource(call, ISSUE), issue_state_events
    query = select(table).where(table.c.issue_id == row.id).order_by(table.c.id)
    return call.page(query, _present_events, keyset=Keyset(table.c.id, descending=False))


@routes.get(
    f"{PATH}/resource_state_events/{{resource_state_event_id}}",
    guard=policy.FIND_ISSUE_SIGNED_IN,
    params=OneStateEvent,
    returns=StateEvent,
)
def get_issue_state_event(call: Call[OneStateEvent]) -> Answer:
    """One state event of an issue."""
    row, table = find_resource(call, ISSUE), issue_state_events
    query = select(table).where(table.c.issue_id == row.id, table.c.id == call.params.resource_state_event_id)
    event = call.conn.execute(query).one_or_none()
    if event is None:
        raise RecordNotFound
    return _present_events(call, [event])[0]


@routes.get(f"{PATH}/user_agent_detail", params=OneIssue, returns=UserAgentDetail)
def get_issue_user_agent(call: Call[OneIssue]) -> Answer:
    """The program and address by which an issue was opened (administrators)."""
    ADMINISTRATOR.admit(call)
    return get_detail(call.conn, issue_id=lookup.find_issue(call).id)
