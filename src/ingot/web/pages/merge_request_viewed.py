"""The marks of files that the visitor has viewed."""

from starlette.responses import Response

from ingot.access.policy import READ_MERGE_REQUESTS
from ingot.features.review.merge_requests import find_by_iid
from ingot.features.review.viewed_files import mark_viewed, unmark_viewed
from ingot.kit.errors import NotFound
from ingot.web.call import PageCall
from ingot.web.guards import InProject
from ingot.web.registry import Pages
from ingot.web.sending import text
from ingot.web.shown_changes import back_to_request

pages = Pages("project")
VISITORS = InProject(READ_MERGE_REQUESTS, needs_user=True)


@pages.post("merge_requests/{iid:int}/viewed", guard=VISITORS)
def mark_file(call: PageCall) -> Response:
    """Mark a file of the changes as viewed, or take the mark away; a script stays on its page."""
    row = find_by_iid(call.conn, call.project.id, int(call.path["iid"]))
    if row is None or call.actor.user_id is None:
        raise NotFound
    file, _, blob = text(call, "mark").partition(".")
    if file:
        with call.write() as tx:
            if blob:
                mark_viewed(tx, row.id, call.actor.user_id, file, blob)
            else:
                unmark_viewed(tx, row.id, call.actor.user_id, file)
    if text(call, "stay"):
        return Response(status_code=204)
    words = "Marked as viewed." if blob else "No longer marked as viewed."
    return back_to_request(call, words, f"#{file}" if file else "", otherwise="diffs")
