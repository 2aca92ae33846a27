"""Issues and merge requests that are deleted for good."""

from starlette.responses import Response

from ingot.access.policy import READ_ISSUES, READ_MERGE_REQUESTS
from ingot.web.call import PageCall
from ingot.web.guards import InProject
from ingot.web.merge_steps import REQUEST
from ingot.web.pages.issues import ISSUE
from ingot.web.registry import Pages
from ingot.web.sending import done

pages = Pages("project")


@pages.post("issues/{iid:int}/remove", guard=InProject(READ_ISSUES, needs_user=True))
def delete_issue(call: PageCall) -> Response:
    """Delete the issue with its comments."""
    call.ask(ISSUE, "DELETE", issue_iid=call.path["iid"])
    return done(call, f"/{call.project.full_path}/-/issues", f"Issue #{call.path['iid']} deleted.")


@pages.post("merge_requests/{iid:int}/remove", guard=InProject(READ_MERGE_REQUESTS, needs_user=True))
def delete_request(call: PageCall) -> Response:
    """Delete the merge request with its comments; its branches stay."""
    call.ask(REQUEST, "DELETE", merge_request_iid=call.path["iid"])
    return done(call, f"/{call.project.full_path}/-/merge_requests", f"Merge request !{call.path['iid']} deleted.")
