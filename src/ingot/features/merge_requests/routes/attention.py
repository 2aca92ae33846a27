"""Who takes part and who follows: participants and subscriptions."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import delete, insert, or_, select, union

from ingot.features.award_emoji import award_emoji
from ingot.features.merge_requests import lookup, policy
from ingot.features.merge_requests.entities import MergeRequest
from ingot.features.merge_requests.mentions import mentioned_names
from ingot.features.merge_requests.params_single import OneMergeRequest
from ingot.features.merge_requests.present import PageLoads
from ingot.features.merge_requests.single import is_subscribed, present_single
from ingot.features.merge_requests.tables import (
    merge_request_assignees,
    merge_request_reviewers,
    merge_requests,
    subscriptions,
)
from ingot.features.notes.tables import notes
from ingot.features.users import UserBasic, present_basic
from ingot.features.users.entities import BASIC_COLUMNS
from ingot.identity.tables import users
from ingot.kit.call import Call
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import NotModified
from ingot.kit.params import Paging

routes = Routes("Merge requests", guard=policy.FIND_MERGE_REQUEST)
PATH = "/projects/{id}/merge_requests/{merge_request_iid}"


class Participants(OneMergeRequest, Paging):
    """A page of participants."""


def participant_ids(row: Any) -> Any:
    """Author, assignees, reviewers, commenters and reactors, as one subquery."""
    parts: Sequence[Any] = (
        select(merge_requests.c.author_id.label("user_id")).where(merge_requests.c.id == row.id),
        select(merge_request_assignees.c.user_id).where(merge_request_assignees.c.merge_request_id == row.id),
        select(merge_request_reviewers.c.user_id).where(merge_request_reviewers.c.merge_request_id == row.id),
        select(notes.c.author_id).where(
            notes.c.noteable_type == "MergeRequest", notes.c.noteable_id == row.id, ~notes.c.system
        ),
        select(award_emoji.c.user_id).where(
            award_emoji.c.awardable_type == "MergeRequest", award_emoji.c.awardable_id == row.id
        ),
    )
    return union(*parts).subquery()


@routes.get(f"{PATH}/participants", params=Participants, returns=list[UserBasic])
def list_merge_request_participants(call: Call) -> Answer:
    """Everybody who takes part in the request or is mentioned in it."""
    row = lookup.find_then_authorize(call)
    part = participant_ids(row)
    taking_part = or_(users.c.id.in_(select(part.c.user_id)), users.c.username_lower.in_(_mentioned(call, row)))
    return call.page(select(*BASIC_COLUMNS).where(taking_part).order_by(users.c.id), present_basic)


def _mentioned(call: Call, row: Any) -> list[str]:
    bodies = call.conn.execute(
        select(notes.c.body).where(
            notes.c.noteable_type == "MergeRequest", notes.c.noteable_id == row.id, notes.c.body.contains("@")
        )
    ).scalars()
    return mentioned_names([row.description or "", *bodies])


def _subscribe(call: Call, *, wanted: bool) -> MergeRequest:
    row = lookup.find_for_update(call)
    if is_subscribed(call, row, PageLoads(call, [row])) == wanted:
        raise NotModified
    mine = (subscriptions.c.merge_request_id == row.id) & (subscriptions.c.user_id == call.actor.id)
    with call.write() as tx:
        tx.execute(delete(subscriptions).where(mine))
        tx.execute(insert(subscriptions).values(merge_request_id=row.id, user_id=call.actor.id, subscribed=wanted))
    return present_single(call, row)


@routes.post(f"{PATH}/subscribe", params=OneMergeRequest, returns=MergeRequest, errors=(304,))
def subscribe_to_merge_request(call: Call) -> Answer:
    """Follow the request; 304 when the caller does already."""
    return _subscribe(call, wanted=True)


@routes.post(f"{PATH}/unsubscribe", params=OneMergeRequest, returns=MergeRequest, errors=(304,))
def unsubscribe_from_merge_request(call: Call) -> Answer:
    """Follow it no longer; 304 when the caller does not."""
    return _subscribe(call, wanted=False)
