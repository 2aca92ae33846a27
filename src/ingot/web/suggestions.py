"""Which proposed changes a visitor may apply, one by one or together."""

from collections.abc import Sequence

from ingot.web.answers import MergeRequest
from ingot.web.call import PageCall
from ingot.web.threads import Thread


def suggestion_facts(call: PageCall, request: MergeRequest, threads: Sequence[Thread]) -> dict[str, object]:
    """Whether the visitor may commit to the source branch, and how many changes could be applied together."""
    notes = [note for thread in threads for note in thread["notes"]]
    count = sum(change["appliable"] for note in notes for change in note.get("suggestions") or [])
    if not count or request["state"] != "opened" or request["source_project_id"] is None:
        return {"can_apply": False, "appliable": 0}
    branch = call.ask_or_none(
        "/projects/:id/repository/branches/:branch", id=request["source_project_id"], branch=request["source_branch"]
    )
    return {"can_apply": bool(branch and branch["can_push"]), "appliable": count}
