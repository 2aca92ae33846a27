"""The merge box alone, for scripts."""

from starlette.responses import HTMLResponse, Response

from ingot.access.policy import READ_MERGE_REQUESTS
from ingot.web.call import PageCall
from ingot.web.frames import project_view
from ingot.web.guards import InProject
from ingot.web.pages.merge_requests import box_of, load_request
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
