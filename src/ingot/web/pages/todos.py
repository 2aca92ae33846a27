"""The visitor's to-dos: what they are about, why they are there, and ticking them off."""

from urllib.parse import urlencode

from starlette.responses import Response

from ingot.access.policy import SIGNED_IN
from ingot.features.planning.todos import reopen
from ingot.kit.errors import NotFound
from ingot.web.call import PageCall, View
from ingot.web.frames import site_view
from ingot.web.registry import Pages
from ingot.web.sending import done, text

pages = Pages("site")
HERE = "/dashboard/todos"
# Filters in the API's words.
CHOICES = {
    "type": {"Issue": "Issues", "MergeRequest": "Merge requests", "Commit": "Commits", "Project": "Projects"},
    "action": {
        "assigned": "Assigned to you", "review_requested": "Review requested", "review_submitted": "Reviewed",
        "mentioned": "Mentioned", "directly_addressed": "Mentioned directly", "approval_required": "Approval required",
        "build_failed": "The pipeline failed", "unmergeable": "Cannot merge", "marked": "Added by you",
        "member_access_requested": "Access requested",
    },
}  # fmt: skip


@pages.get("dashboard/todos", guard=SIGNED_IN)
def list_todos(call: PageCall) -> View:
    """The visitor's to-do items."""
    state = "done" if call.values.get("state") == "done" else "pending"
    finished, chosen = text(call, "finished"), _chosen(call)
    return site_view(
        call, "todos", rows=call.ask_rows("/todos", state=state, **chosen), state=state, choices=CHOICES, chosen=chosen,
        finished=finished if finished.isdecimal() else "", query=urlencode({"state": state, **chosen}),
        others=urlencode(chosen),
    )  # fmt: skip


@pages.post("dashboard/todos/done", guard=SIGNED_IN)
def finish_all(call: PageCall) -> Response:
    """Mark all as done."""
    call.ask("/todos/mark_as_done", "POST")
    return done(call, HERE, "All to-dos marked as done.")


@pages.post("dashboard/todos/{number:int}/done", guard=SIGNED_IN)
def finish_one(call: PageCall) -> Response:
    """Mark one as done."""
    call.ask("/todos/:todo/mark_as_done", "POST", todo=call.path["number"])
    query = urlencode({"finished": call.path["number"], **_chosen(call)})
    return done(call, f"{HERE}?{query}", "Marked as done.", "finished")


@pages.post("dashboard/todos/{number:int}/reopen", guard=SIGNED_IN)
def take_back(call: PageCall) -> Response:
    """Take back that one is done."""
    with call.services.db.write() as tx:
        if not reopen(tx, call.actor.id, int(call.path["number"])):
            raise NotFound
    chosen = _chosen(call)
    return done(call, f"{HERE}?{urlencode(chosen)}" if chosen else HERE, "To-do restored.")


def _chosen(call: PageCall) -> dict[str, str]:
    """The filters of the address or form that the list knows."""
    return {name: value for name, known in CHOICES.items() if (value := text(call, name)) in known}
