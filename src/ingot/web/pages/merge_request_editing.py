"""Merge requests: the form that edits one, and ticking the tasks of its description."""

from functools import partial
from typing import Any

from starlette.responses import Response

from ingot.access.policy import READ_MERGE_REQUESTS
from ingot.web.answers import EditedRequest
from ingot.web.call import PageCall, View
from ingot.web.edited_fields import changed_fields, filled_form
from ingot.web.frames import project_view
from ingot.web.guards import InProject
from ingot.web.issuable_fields import offered_fields, sent_fields, shown_values, typed_values
from ingot.web.merge_steps import REQUEST
from ingot.web.registry import Pages
from ingot.web.sending import done, refused, text
from ingot.web.task_lists import ticked

pages = Pages("project")
WRITERS = InProject(READ_MERGE_REQUESTS, needs_user=True)


@pages.get("merge_requests/{iid:int}/edit", guard=WRITERS)
def show_edit_request(call: PageCall) -> View:
    """The form of an existing request."""
    request = call.ask(REQUEST, merge_request_iid=call.path["iid"])
    call.require("PUT", REQUEST, merge_request_iid=call.path["iid"])
    return _form(call, request)


@pages.post("merge_requests/{iid:int}/edit", guard=WRITERS)
def edit_request(call: PageCall) -> View | Response:
    """Change what the form holds."""
    iid = call.path["iid"]
    call.require("PUT", REQUEST, merge_request_iid=iid)
    request = call.ask(REQUEST, merge_request_iid=iid)

    def edit() -> None:
        fields = changed_fields(call, _sent(call, request), _typed(call), _shown(request))
        if fields:
            call.ask(REQUEST, "PUT", merge_request_iid=iid, **fields)

    return refused(edit, partial(_form, call, request)) or _back(call, "Merge request saved.")


@pages.post("merge_requests/{iid:int}/task", guard=WRITERS)
def tick_task(call: PageCall) -> Response:
    """Tick a box of the description, or take the tick away."""
    iid = call.path["iid"]
    request = call.ask(REQUEST, merge_request_iid=iid)
    call.ask(REQUEST, "PUT", merge_request_iid=iid, description=ticked(call, request["description"]))
    return _back(call, "Task saved.")


def _sent(call: PageCall, request: EditedRequest) -> dict[str, object]:
    """The fields of the form, as the API takes them."""
    target = text(call, "target_branch")
    elsewhere = {"target_branch": target} if target and target != request["target_branch"] else {}
    return {**sent_fields(call, dates=False), **_boxes(call), **_merge_time(call), **elsewhere}


def _boxes(call: PageCall) -> dict[str, bool]:
    """What is ticked; only forms of requests from forks ask whether others may push to the source branch."""
    asks = ("allow_collaboration",) if "offers_collaboration" in call.values else ()
    return {name: name in call.values for name in ("squash", "remove_source_branch", *asks)}


def _merge_time(call: PageCall) -> dict[str, str]:
    """When it may be merged, in UTC; empty for at once."""
    given = call.values.get("merge_after")
    if not isinstance(given, str):
        return {}
    return {"merge_after": f"{given.strip()}Z" if given.strip() else ""}


def _typed(call: PageCall) -> dict[str, Any]:
    """The form as it was sent."""
    others: dict[str, Any] = {
        name: text(call, name) for name in ("target_branch", "merge_after") if name in call.values
    }
    return {**typed_values(call), **others, **_boxes(call)}


def _shown(request: EditedRequest) -> dict[str, Any]:
    """The same as it was drawn."""
    return {
        **shown_values(request), "target_branch": request["target_branch"],
        "squash": bool(request["squash"]), "remove_source_branch": bool(request["force_remove_source_branch"]),
        "allow_collaboration": bool(request.get("allow_collaboration")),
        "merge_after": (request.get("merge_after") or "")[:16],
    }  # fmt: skip


def _form(call: PageCall, request: EditedRequest, problem: str = "", status: int = 200) -> View:
    iid = call.path["iid"]
    typed = _typed(call) if call.request.method == "POST" else {}
    branches = call.ask_or_none("/projects/:id/repository/branches", per_page="100") or []
    return project_view(
        call, "merge_request_edit", "merge_requests", status, request=request, problem=problem,
        names=[row["name"] for row in branches], can_set=call.may("PUT", REQUEST, merge_request_iid=iid),
        can_delete=call.may("DELETE", REQUEST, merge_request_iid=iid),
        **filled_form(call, typed, _shown(request)), **offered_fields(call),
    )  # fmt: skip


def _back(call: PageCall, words: str) -> Response:
    return done(call, f"/{call.project.full_path}/-/merge_requests/{call.path['iid']}", words)
