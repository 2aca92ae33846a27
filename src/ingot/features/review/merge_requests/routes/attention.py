"""Participants and subscriptions of merge requests."""

from sqlalchemy import delete, insert, select

from ingot.access.call import Call
from ingot.features.people.users import BASIC_COLUMNS, UserBasic, present_basic
from ingot.features.planning.notes import reads_internal
from ingot.features.review.merge_requests import lookup, policy
from ingot.features.review.merge_requests.entities import MergeRequest
from ingot.features.review.merge_requests.params_single import OneMergeRequest
from ingot.features.review.merge_requests.participants import taking_part
from ingot.features.review.merge_requests.present import PageLoads
from ingot.features.review.merge_requests.single import is_subscribed, present_single
from ingot.features.review.merge_requests.tables import subscriptions
from ingot.identity.tables import users
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import NotModified
from ingot.kit.params import Paging

routes = Routes("Merge requests", guard=policy.FIND_MERGE_REQUEST)
PATH = "/projects/{id}/merge_requests/{merge_request_iid}"


class Participants(OneMergeRequest, Paging):
    """A page of participants."""


@routes.get(f"{PATH}/participants", params=Participants, returns=list[UserBasic])
def list_merge_request_participants(call: Call[Participants]) -> Answer:
    """Participants of a merge request."""
    row = lookup.find_then_authorize(call)
    condition = taking_part(call.conn, row, with_internal=reads_internal(call.actor, call.project))
    query = select(*BASIC_COLUMNS).where(condition).order_by(users.c.id)
    return call.page(query, present_basic)


def _subscribe(call: Call[OneMergeRequest], *, subscribed: bool) -> MergeRequest:
    row = lookup.find_for_update(call)
    if is_subscribed(call, row, PageLoads(call, [row])) == subscribed:
        raise NotModified
    own_row = (subscriptions.c.merge_request_id == row.id) & (subscriptions.c.user_id == call.actor.id)
    with call.write() as tx:
        tx.execute(delete(subscriptions).where(own_row))
        tx.execute(insert(subscriptions).values(merge_request_id=row.id, user_id=call.actor.id, subscribed=subscribed))
    return present_single(call, row)


@routes.post(f"{PATH}/subscribe", params=OneMergeRequest, returns=MergeRequest, errors=(304,))
def subscribe_to_merge_request(call: Call[OneMergeRequest]) -> Answer:
    """Subscribe to a merge request; 304 if subscribed already."""
    return _subscribe(call, subscribed=True)


@routes.post(f"{PATH}/unsubscribe", params=OneMergeRequest, returns=MergeRequest, errors=(304,))
def unsubscribe_from_merge_request(call: Call[OneMergeRequest]) -> Answer:
    """Unsubscribe from a merge request; 304 if not subscribed."""
    return _subscribe(call, subscribed=False)
