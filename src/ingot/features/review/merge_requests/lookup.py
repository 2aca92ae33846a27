"""Loading the merge request of a path, in two styles that differ in 403 and 404."""

from ingot.access.call import Call
from ingot.features.review.merge_requests import policy, queries
from ingot.features.review.merge_requests.params_single import OneMergeRequest
from ingot.features.review.merge_requests.rows import MergeRequestWithProject
from ingot.kit.errors import Forbidden, RecordNotFound


def find_then_authorize(call: Call[OneMergeRequest]) -> MergeRequestWithProject:
    """The request; a caller who sees the project but may not read its requests gets 403."""
    row = _get(call)
    if not policy.READ_MERGE_REQUESTS.allows(call.actor, call.project):
        raise Forbidden
    return row


def find_visible(call: Call[OneMergeRequest]) -> MergeRequestWithProject:
    """The request; unreadable ones are not found."""
    row = _get(call)
    if policy.is_switched_off(call.project):  # spec: merge requests disabled, everything 403, administrators included
        raise Forbidden
    if not policy.READ_MERGE_REQUESTS.allows(call.actor, call.project):
        raise RecordNotFound
    return row


def find_for_update(call: Call[OneMergeRequest]) -> MergeRequestWithProject:
    """The request, if the caller may change it; 403 otherwise."""
    row = _get(call)
    if not policy.may_update(call, row):
        raise Forbidden
    return row


def _get(call: Call[OneMergeRequest]) -> MergeRequestWithProject:
    row = queries.find_by_iid(call.conn, call.project.id, call.params.merge_request_iid)
    if row is None:
        raise RecordNotFound
    return row
