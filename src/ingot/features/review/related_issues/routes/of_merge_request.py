"""Issues that a merge request closes or mentions."""

from typing import Any

from sqlalchemy import ColumnElement, false, select

from ingot.access.call import Call
from ingot.features.planning.issues import IssueBasic, issues, issues_with_project, presenter, readable_issues
from ingot.features.planning.notes import notes, readable_notes
from ingot.features.review.merge_requests import (
    FIND_MERGE_REQUEST,
    OneMergeRequest,
    closing_condition,
    commits_of,
    find_then_authorize,
    related_condition,
)
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.params import Paging

routes = Routes("Merge requests", guard=FIND_MERGE_REQUEST, waits=True)
PATH = "/projects/{id}/merge_requests/{merge_request_iid}"


class ListOfMergeRequest(OneMergeRequest, Paging):
    """A list that belongs to a merge request."""


def _page(call: Call, condition: ColumnElement[bool] | None) -> Any:
    query = issues_with_project().where(false() if condition is None else condition, readable_issues(call.actor))
    return call.page(query.order_by(issues.c.id), presenter("project"))


@routes.get(f"{PATH}/closes_issues", params=ListOfMergeRequest, returns=list[IssueBasic])
def list_issues_closed_by_merge_request(call: Call[ListOfMergeRequest]) -> Answer:
    """Issues that are closed when the request is merged into the default branch."""
    row = find_then_authorize(call)
    return _page(call, closing_condition(row, commits_of(call.services, row)))


@routes.get(f"{PATH}/related_issues", params=ListOfMergeRequest, returns=list[IssueBasic])
def list_issues_of_merge_request(call: Call[ListOfMergeRequest]) -> Answer:
    """Issues mentioned in the request's title, description, commits or comments."""
    row = find_then_authorize(call)
    here = (notes.c.noteable_type == "MergeRequest", notes.c.noteable_id == row.id, ~notes.c.system)
    texts = call.conn.execute(select(notes.c.body).where(*here, readable_notes(call.actor, call.project))).scalars()
    return _page(call, related_condition(row, commits_of(call.services, row), texts))
