"""The merge box alone, for scripts; and what to do about conflicts."""

from starlette.responses import HTMLResponse, Response

from ingot.access.policy import READ_CODE, READ_MERGE_REQUESTS
from ingot.features.spaces.projects import repository_of
from ingot.gitstore.conflicts import Conflict, conflicts
from ingot.gitstore.errors import GitError
from ingot.web.answers import MergeRequest
from ingot.web.call import PageCall, View
from ingot.web.frames import project_view
from ingot.web.guards import InProject
from ingot.web.pages.merge_requests import box_of, load_request, request_view
from ingot.web.registry import Pages
from ingot.web.rendering import render_part

pages = Pages("project")
REQUESTS = InProject(READ_MERGE_REQUESTS)


@pages.get("merge_requests/{iid:int}/widget", guard=REQUESTS)
def show_box(call: PageCall) -> Response:
    """The merge box without the page around it."""
    request = load_request(call)
    frame = project_view(call, "merge_box", "merge_requests").data
    here = f"/{call.project.full_path}/-/merge_requests/{request['iid']}"
    return HTMLResponse(
        render_part(call, "merge_box_alone", {**frame, "request": request, "here": here, **box_of(call, request)})
    )


@pages.get("merge_requests/{iid:int}/conflicts", guard=REQUESTS)
def show_conflicts(call: PageCall) -> View:
    """The files that both branches change in different ways, and the commands that resolve it."""
    READ_CODE.require(call.actor, call.project)
    request = load_request(call)
    found = _conflicts(call, request)
    return request_view(call, request, "conflicts", found=found)


def _conflicts(call: PageCall, request: MergeRequest) -> list[Conflict] | None:
    """None where one of the branches is gone."""
    target = call.ask_or_none("/projects/:id/repository/branches/:branch", branch=request["target_branch"])
    if target is None or request["sha"] is None or request["state"] != "opened":
        return None
    try:
        return conflicts(repository_of(call.services, call.project), target["commit"]["id"], request["sha"])
    except GitError:
        return None
