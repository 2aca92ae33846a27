"""The three lists."""

from collections.abc import Sequence
from typing import Any

from ingot.access.call import Call
from ingot.access.policy import ANYONE, READ_GROUP
from ingot.features.review.merge_requests import listing
from ingot.features.review.merge_requests.entities import MergeRequestBasic, MergeRequestSimple
from ingot.features.review.merge_requests.params import GlobalFilters, GroupFilters, ListFilters
from ingot.features.review.merge_requests.policy import READ_MERGE_REQUESTS
from ingot.features.review.merge_requests.present import present_list
from ingot.features.review.merge_requests.recheck import ask_for_recheck
from ingot.features.review.merge_requests.rows import MergeRequestWithProject
from ingot.instance import is_on_for
from ingot.kit.endpoint import Answer, OneOf, Routes
from ingot.kit.errors import Unauthorized

routes = Routes("Merge requests")
Shown = OneOf(list[MergeRequestBasic], list[MergeRequestSimple])


def _switches(call: Call[ListFilters]) -> listing.Switches:
    flag = call.params.approved is not None and is_on_for(call, "mr_approved_filter")
    return listing.Switches(approved_flag=flag, paid=call.services.settings.has_tier("premium"))


def _presenter(scope: str) -> Any:
    def present(call: Call[ListFilters], rows: Sequence[MergeRequestWithProject]) -> list[Any]:
        if call.params.with_merge_status_recheck:
            ask_for_recheck(call, rows)
        return present_list(call, rows, scope=scope)

    return present


@routes.get("/merge_requests", guard=ANYONE, params=GlobalFilters, returns=Shown, cached=True)
def list_merge_requests(call: Call[GlobalFilters]) -> Answer:
    """Merge requests that the caller may read; the caller's own unless `scope` says otherwise."""
    if call.actor.is_anonymous and call.params.scope != "all":
        raise Unauthorized
    result = listing.everywhere(call.conn, call.actor, call.params, _switches(call))
    return call.page(result.rows, _presenter("global"), counted=result.counted, values=result.values)


@routes.get(
    "/projects/{id}/merge_requests",
    guard=READ_MERGE_REQUESTS,
    params=ListFilters,
    returns=Shown,
    job_token=True,
    cached=True,
)
def list_project_merge_requests(call: Call[ListFilters]) -> Answer:
    """Merge requests into one project, newest first unless ordered otherwise."""
    result = listing.in_project(call.conn, call.project, call.actor, call.params, _switches(call))
    return call.page(result.rows, _presenter("project"), counted=result.counted, values=result.values)


@routes.get("/groups/{id}/merge_requests", guard=READ_GROUP, params=GroupFilters, returns=Shown, cached=True)
def list_group_merge_requests(call: Call[GroupFilters]) -> Answer:
    """Merge requests into the projects of a group and its subgroups."""
    result = listing.in_group(call.conn, call.group, call.actor, call.params, _switches(call))
    return call.page(result.rows, _presenter("group"), counted=result.counted, values=result.values)
