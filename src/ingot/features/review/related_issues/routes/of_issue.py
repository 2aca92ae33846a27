"""Merge requests that close or mention an issue."""

from sqlalchemy import select

from ingot.access.call import Call
from ingot.features.planning.issues import FIND_ISSUE, ListOfIssue, find_issue, issue_mentions
from ingot.features.review.merge_requests import (
    MergeRequestBasic,
    merge_requests,
    present_embedded,
    readable_merge_requests,
    with_project,
)
from ingot.kit.endpoint import Answer, Routes

routes = Routes("Issues", guard=FIND_ISSUE)
PATH = "/projects/{id}/issues/{issue_iid}"


def _requests(call: Call[ListOfIssue], *, closing: bool) -> Answer:
    row = find_issue(call)
    table = issue_mentions
    naming = select(table.c.merge_request_id).where(table.c.issue_id == row.id)
    if closing:
        naming = naming.where(table.c.closes)
    query = with_project().where(merge_requests.c.id.in_(naming), readable_merge_requests(call.actor))
    return call.page(query.order_by(merge_requests.c.id), present_embedded)


@routes.get(f"{PATH}/closed_by", params=ListOfIssue, returns=list[MergeRequestBasic])
def list_merge_requests_closing_issue(call: Call[ListOfIssue]) -> Answer:
    """Merge requests that close the issue when they are merged."""
    return _requests(call, closing=True)


@routes.get(f"{PATH}/related_merge_requests", params=ListOfIssue, returns=list[MergeRequestBasic])
def list_merge_requests_of_issue(call: Call[ListOfIssue]) -> Answer:
    """Merge requests that mention the issue in their texts, commits or comments."""
    return _requests(call, closing=False)
